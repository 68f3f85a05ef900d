import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createApplication } from '../../src/http/edge/application.ts';
import { HEAD_TIMEOUT_MS } from '../../src/http/edge/arrival-limits.ts';
import { Connections } from '../../src/http/edge/connections.ts';
import type { OperationHandlers } from '../../src/http/operation.ts';
import { applicationDeps, emptyHandlers } from './application-deps.ts';

const atWork = Promise.withResolvers<void>();
const finish = Promise.withResolvers<void>();
const handlers: OperationHandlers = {
  ...emptyHandlers(),
  'partners.restaurants.list': async () => {
    atWork.resolve();
    await finish.promise;
    return { json: [] };
  },
};

const deps = applicationDeps();
const connections = new Connections({
  limit: 1,
  log: deps.log,
  monotonicMs: () => 0,
  onTurnedAway: () => {},
});
const app = createApplication({ ...deps, connections }, handlers);
before(() => app.listen({ host: '127.0.0.1', port: 0 }));
after(() => app.close());

function dial(path: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

/** Reads until the server closes the connection, which was to be kept. */
const wholeOf = async (path: string) => (await dial(path).toArray()).join('');

test('pipeline 503 200: at the limit a request is refused and the health is told', async () => {
  const first = dial('/partners/v1/restaurants');
  await atWork.promise;
  const refused = await wholeOf('/partners/v1/restaurants');
  assert.match(refused, /^HTTP\/1\.1 503 .*acme-request-id: /is);
  assert.match(refused, /retry-after: 5\r\n/i);
  assert.match(refused, /connection: close\r\n/i);
  assert.match(refused, /"code":20503,"message":"The server has as many connections/);
  const health = await wholeOf('/healthz');
  assert.match(health, /^HTTP\/1\.1 200 .*connection: close\r\n/is);
  finish.resolve();
  const [answer] = await once(first, 'data');
  assert.match(answer, /^HTTP\/1\.1 200 /);
  first.destroy();
  await once(first, 'close');
});

test('pipeline 408: a connection has a while for its first byte and its head', () => {
  const { headersTimeout, requestTimeout } = app.server;
  assert.equal(headersTimeout, HEAD_TIMEOUT_MS);
  assert.ok(headersTimeout < requestTimeout && requestTimeout <= 60_000);
});
