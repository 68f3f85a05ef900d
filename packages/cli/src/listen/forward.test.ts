import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { exampleOf, type PartnerEvent } from '@servery/contract';
import { machineTimer } from '@servery/support/timer.ts';
import { makeSecret } from '@servery/webhooks';
import { type Forwarded, forward } from './forward.ts';

const event = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;

/** Forwards an event to a server of this machine, which is ended then. */
async function forwardTo(server: Server, scheme = 'http'): Promise<Forwarded> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const deps = {
    ...{ timer: machineTimer, signal: new AbortController().signal, brand: 'Platform' },
    ...{ url: `${scheme}://127.0.0.1:${port}/`, secrets: [makeSecret()], timeoutMs: 60_000 },
  };
  try {
    const body = JSON.stringify(event);
    return await forward(deps, { cursor: '1.0', kind: 'event', body, event });
  } finally {
    server.close();
  }
}

test('forward: an answer that never ends counts by its status, and is shown', async () => {
  const dripping = createHttpServer((_request, response) => {
    response.writeHead(503).write('No database.\nNo ');
  });
  const { status, answer, error } = await forwardTo(dripping);
  assert.deepEqual([status, answer, error], [503, 'No database.', null]);
});

test('forward: says in words why there was no answer', async () => {
  const noHttp = createServer((socket) => socket.on('error', () => {}).end('hello\r\n'));
  assert.equal((await forwardTo(noHttp)).error, 'it does not speak HTTP');
  const cut = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  assert.equal((await forwardTo(cut)).error, 'the connection was cut');
  const noTls = createHttpServer((_request, response) => response.end());
  assert.match((await forwardTo(noTls, 'https')).error ?? '', /not speak HTTPS/);
});
