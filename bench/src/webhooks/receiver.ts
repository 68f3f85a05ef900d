import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver of webhooks that answers 204 to everything but what comes below /hang, which it never
// answers. Below /control it tells of the others: `reset`, and `wait?count=` until so many came.
let arrivedMs: number[] = [];
let waiting: { readonly count: number; readonly response: ServerResponse } | null = null;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
  request.resume();
  if (pathname.startsWith('/hang')) return;
  if (pathname === '/control/reset') {
    arrivedMs = [];
    response.end();
  } else if (pathname === '/control/wait') {
    waiting = { count: Number(searchParams.get('count')), response };
    tellWhoWaits();
  } else {
    request.on('end', () => {
      arrivedMs.push(performance.now());
      response.writeHead(204).end();
      tellWhoWaits();
    });
  }
});

function tellWhoWaits(): void {
  if (!waiting || arrivedMs.length < waiting.count) return;
  waiting.response.end(JSON.stringify({ arrivedMs }));
  waiting = null;
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`receiver ready http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
