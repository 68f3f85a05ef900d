import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { afterTurn } from '@servery/support/runner.ts';
import {
  EARLIER_ANSWERS_MS,
  FAREWELL_MS,
  refuseBrokenHttp,
} from '../../src/http/edge/broken-http.ts';

const RUBBISH = 'rubbish\r\n\r\n';
const put = (path: string, body = 'x') =>
  `PUT ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

interface Came {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const deps = { brand: 'Platform', baseUrl: () => 'http://platform.example' };
let came: Came[];
let heard: EventTarget;
const server = createServer((request, response) => {
  came.push({ request, response });
  heard.dispatchEvent(new Event('request'));
});
let refusal: PromiseWithResolvers<Socket>;
server.on('clientError', (error, socket) => {
  refuseBrokenHttp(deps, error, socket as Socket);
  refusal.resolve(socket as Socket);
});
let client: Socket;
let text: string;

beforeEach(async () => {
  came = [];
  heard = new EventTarget();
  refusal = Promise.withResolvers();
  text = '';
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const { port } = server.address() as AddressInfo;
  client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
  client.on('data', (piece) => {
    text += piece;
  });
});
afterEach(async () => {
  mock.timers.reset();
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

async function untilCame(count: number): Promise<void> {
  while (came.length < count) await once(heard, 'request');
  // The end of a request is read in the same turn, but behind its head.
  await new Promise<void>((resolve) => afterTurn(resolve));
}

test('pipeline 400 API-9: what came before bytes that are not HTTP is answered first', async () => {
  client.write(`${put('/a')}${put('/b')}${RUBBISH}`);
  await refusal.promise;
  const [first, second] = came as [Came, Came];
  second.response.end('second');
  // Its turn is not yet: whatever were sent now would be taken for the first answer.
  await new Promise<void>((resolve) => afterTurn(resolve));
  assert.equal(text, '');
  first.response.end('first');
  await once(client, 'end');
  assert.deepEqual(statuses(), [200, 200, 400]);
  assert.match(text, /first.*second.*"code":10000/s);
  client.end();
  await once(client, 'close');
});

test('pipeline 400 API-9: behind bytes that are not HTTP no request is read anymore', async () => {
  client.write(`${put('/a')}${RUBBISH}`);
  const socket = await refusal.promise;
  client.write(put('/b'));
  client.write('more rubbish\r\n\r\n');
  client.end();
  await once(socket, 'end');
  came[0]?.response.end();
  await once(client, 'end');
  assert.equal(came.length, 1);
  assert.deepEqual(statuses(), [200, 400]);
});

test('pipeline 408 API-9: what comes too late is not carried out behind its answer', async () => {
  client.write(`${put('/a')}PUT /b HTTP/1.1\r\nHost: h\r\n`);
  await untilCame(1);
  const { request, response } = came[0] as Came;
  // As Node.js does of a request that has not arrived in time.
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.emit('clientError', late, request.socket);
  client.end('Content-Length: 1\r\n\r\nx');
  await once(request.socket, 'end');
  response.end();
  await once(client, 'end');
  assert.equal(came.length, 1);
  assert.deepEqual(statuses(), [200, 408]);
});

test('pipeline 408 API-9: a client that never sent a byte is hung up on without an answer', async () => {
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const hangUp = (socket: Socket) => server.emit('clientError', late, socket);
  server.on('connection', hangUp);
  const { port } = server.address() as AddressInfo;
  const answer = await connect(port, '127.0.0.1').setEncoding('latin1').toArray();
  server.removeListener('connection', hangUp);
  assert.deepEqual(answer, []);
});

test('pipeline 400 API-9: a request whose own body is broken has the 400 for its answer', async () => {
  const broken = 'PUT /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
  client.write(`${put('/a')}${broken}`);
  await refusal.promise;
  came[0]?.response.end();
  await once(client, 'end');
  assert.equal(came.length, 2);
  assert.deepEqual(statuses(), [200, 400]);
});

test('pipeline 401 API-9: a client that was answered while it sent is not answered again', async () => {
  client.write('PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
  await untilCame(1);
  const { response } = came[0] as Came;
  response.writeHead(401);
  response.write('no');
  client.write('zz\r\n');
  await refusal.promise;
  response.end();
  await once(client, 'end');
  assert.deepEqual(statuses(), [401]);
});

test('pipeline 400 API-9: an answer that never comes holds the connection for a minute', async () => {
  client.write(put('/a'));
  await untilCame(1);
  mock.timers.enable({ apis: ['setTimeout'] });
  client.write(RUBBISH);
  const socket = await refusal.promise;
  mock.timers.tick(EARLIER_ANSWERS_MS - 1);
  await new Promise<void>((resolve) => afterTurn(resolve));
  assert.ok(socket.writable);
  mock.timers.tick(1);
  await new Promise<void>((resolve) => afterTurn(resolve));
  assert.ok(!socket.writable && !socket.destroyed);
  const closed = once(socket, 'close');
  mock.timers.tick(FAREWELL_MS);
  await closed;
  assert.deepEqual(statuses(), []);
});
