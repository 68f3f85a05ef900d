import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { after, mock, test } from 'node:test';
import { answerWhileSent } from '../../src/http/edge/discard.ts';

const MEBIBYTE = 'x'.repeat(1_048_576);
const MEBIBYTES = 40;
const ANSWER = Buffer.from('too much');

const server = createServer((request, response) => {
  response.writeHead(413, { connection: 'close', 'content-length': ANSWER.length });
  Readable.from(answerWhileSent(ANSWER, request)).pipe(response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

const open = () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('PUT / HTTP/1.1\r\nhost: platform\r\n');
  socket.write(`content-length: ${MEBIBYTE.length * MEBIBYTES}\r\n\r\n`);
  return socket;
};

test('pipeline 413 API-9: who reads nothing before all is sent reads the refusal then', async () => {
  // However long it takes.
  mock.timers.enable({ apis: ['setTimeout'] });
  const socket = open().pause();
  for (let sent = 1; sent < MEBIBYTES; sent += 1) socket.write(MEBIBYTE);
  await new Promise((resolve) => socket.write(MEBIBYTE, resolve));
  const received: Buffer[] = [];
  for await (const piece of socket) received.push(piece as Buffer);
  mock.timers.reset();
  const text = Buffer.concat(received).toString();
  assert.match(text, /^HTTP\/1\.1 413/);
  assert.ok(text.endsWith('\r\n\r\ntoo much'));
});

test('pipeline 413 API-9: who waits is told at once', async () => {
  const socket = open();
  socket.write('x');
  const [piece] = (await once(socket, 'data')) as [Buffer];
  assert.match(piece.toString(), /^HTTP\/1\.1 413/);
  socket.destroy();
});
