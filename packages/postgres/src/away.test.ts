import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import postgres from 'postgres';
import { troubleOf } from './away.ts';

test('a statement on a connection that the database has closed is a 503, not a 500', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').resume();
  socket.on('error', () => {});
  await once(socket, 'end');
  const error = await new Promise((resolve) => socket.write('select 1', resolve));
  server.close();
  assert.equal(troubleOf(error), 'away');
});

test('a coordinator that lost its worker does not know the outcome: a 503, and read back', () => {
  const troubleIn = (facts: object) =>
    troubleOf(
      Object.assign(new postgres.PostgresError('the worker is gone'), facts, { severity: 'ERROR' }),
    );
  assert.equal(troubleIn({ code: '08006' }), 'unknown');
  const routine = 'ErrorIfPostCommitFailedShardPlacements';
  assert.equal(troubleIn({ code: 'XX000', routine }), 'unknown');
  assert.equal(troubleIn({ code: 'XX000', routine: 'elog' }), null);
});
