import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { mock, test } from 'node:test';
import { hangUpLate } from '../../src/http/edge/arrival-limits.ts';

test('a stop waits for a request that never arrives whole, and not for ever', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  const [socket] = await once(server, 'connection');
  client.write('POST / HTTP/1.1\r\nHost: ');
  await once(socket, 'data');
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    let isClosed = false;
    server.close(() => {
      isClosed = true;
    });
    const closed = once(server, 'close');
    hangUpLate(server);
    mock.timers.tick(59_999);
    assert.ok(!isClosed && !socket.destroyed);
    mock.timers.tick(1);
    assert.ok(socket.destroyed);
    await closed;
  } finally {
    mock.timers.reset();
    client.destroy();
  }
});
