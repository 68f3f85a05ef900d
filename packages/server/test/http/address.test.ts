import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { addressOfRequests } from '../../src/http/edge/address.ts';

/** What the system tells of a connection that was reset before anybody looked. */
function forgetAddress(socket: Socket): void {
  Object.defineProperty(socket, 'remoteAddress', { value: undefined });
}

test('pipeline: a client that has hung up has an empty address, and that is no failure', async () => {
  for (const trusted of [[], ['127.0.0.1']]) {
    const application = fastify();
    const addressOf = addressOfRequests(trusted);
    application.server.prependListener('connection', forgetAddress);
    application.get('/', async (request) => ({ address: addressOf(request.raw) }));
    const url = await application.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(url);
    assert.deepEqual([answer.status, await answer.json()], [200, { address: '' }]);
    await application.close();
  }
});
