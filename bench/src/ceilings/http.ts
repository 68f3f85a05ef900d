import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The ceiling of what is asked over HTTP: node:http that looks up the caller's token in a map, answers
// ready-made bytes with ready-made headers, and does nothing else. The file named on the command line
// holds the tokens, and one answer of the product for each method; the number behind it says how many
// processes of a cluster answer.
interface Given {
  readonly authorizations: readonly string[];
  readonly answers: Readonly<
    Record<string, { status: number; headers: Record<string, string>; body: string }>
  >;
}

const [file = '', processes = '1'] = process.argv.slice(2);
const count = Number(processes);
if (cluster.isPrimary && count > 1) startCluster();
else serve();
process.on('SIGTERM', () => process.exit(0));

function startCluster(): void {
  let listening = 0;
  cluster.on('listening', (_, { port }) => {
    listening += 1;
    if (listening === count) tellReady(port);
  });
  for (let index = 0; index < count; index += 1) cluster.fork();
}

function serve(): void {
  const given: Given = JSON.parse(readFileSync(file, 'utf8'));
  const callers = new Map(given.authorizations.map((header, index) => [header, index]));
  const answers = new Map(
    Object.entries(given.answers).map(([method, { body, ...head }]) => {
      return [method, { ...head, bytes: Buffer.from(body, 'base64') }];
    }),
  );
  const server = createServer((request, response) => {
    if (!callers.has(request.headers.authorization ?? '')) {
      throw new Error('a request came without the token');
    }
    const answer = answers.get(request.method ?? '');
    if (!answer) throw new Error(`no answer was recorded for ${request.method}`);
    const respond = () => {
      response.writeHead(answer.status, answer.headers);
      response.end(answer.bytes);
    };
    if (request.method === 'GET') {
      respond();
      return;
    }
    request.on('end', respond).resume();
  });
  server.listen(0, '127.0.0.1', () => {
    if (cluster.isPrimary) tellReady((server.address() as AddressInfo).port);
  });
}

function tellReady(port: number): void {
  process.stdout.write(`ceiling ready http://127.0.0.1:${port}\n`);
}
