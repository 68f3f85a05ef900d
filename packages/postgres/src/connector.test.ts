import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Connector } from './connector.ts';
import { parseDatabaseUrl } from './database-url.ts';

/** Whether a server at an address counts as one that answers. */
const answersAt = (url: string) =>
  new Connector({
    address: parseDatabaseUrl(url),
    settings: {},
    connectTimeoutMs: 300,
  }).answersAt(0);

/** The same of a server that answers the first message with these bytes. */
async function answersWith(bytes: string): Promise<boolean> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes, 'latin1'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await answersAt(`postgres://somebody:secret@127.0.0.1:${port}/some`);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

test('a server that says nothing at first, or nothing to the first statement, is silent', async () => {
  assert.equal(await answersWith(''), false);
  const letIn = 'R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I';
  assert.equal(await answersWith(letIn), false);
});

test('an error of this machine, or a refusal, does not make a server silent', async () => {
  // No name has a part of 64 characters, so no resolver is asked.
  assert.equal(await answersAt(`postgres://somebody@${'a'.repeat(64)}.example/some`), true);
  assert.equal(await answersAt('postgres://somebody@%2Fno%2Fsuch%2Ffolder/some'), true);
  const refusal = 'E\0\0\0\x1dSFATAL\0C53300\0Mtoo many\0\0';
  assert.equal(await answersWith(refusal), true);
});
