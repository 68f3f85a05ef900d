import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { openSandbox, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await openSandbox();
});
after(() => sandbox.stop());

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The first webhook that an endpoint of the partner gets, and its secret. */
async function firstWebhook(): Promise<Got & { secret: string }> {
  const { promise, resolve } = Promise.withResolvers<Got>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    response.end();
    resolve({ headers: request.headers, body });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { clientId } = sandbox.platform.demo.clients.partner;
  const body = { clientId, url, eventTypes: ['out_of_stock' as const] };
  const { secret } = await sandbox.operator.call('backOffice.webhooks.endpoints.create', { body });
  const servery = sandbox.open();
  const document = await servery.menus.get();
  const item = document.menus[0]?.menuGroups[0]?.menuItems[0];
  assert.ok(item);
  await servery.stock.update([{ guid: item.guid, status: 'IN_STOCK' }]);
  await servery.stock.update([{ guid: item.guid, status: 'OUT_OF_STOCK' }]);
  const got = await promise;
  server.closeAllConnections();
  server.close();
  return { ...got, secret };
}

test('client: verifies a webhook by its bytes, and says why it refuses one', async () => {
  const { headers, body, secret } = await firstWebhook();
  // Attempts are dated in real time, whatever time it is in the sandbox.
  const nowMs = () => Date.parse('2040-01-01T00:00:00Z');
  const { webhooks } = sandbox.open({ webhookSecrets: secret, nowMs });
  const verdict = await webhooks.verify(headers, body);
  assert.ok(verdict.isValid, JSON.stringify(verdict));
  const { event } = verdict;
  assert.equal(event.eventType, 'out_of_stock');
  assert.ok(event.eventType === 'out_of_stock' && event.details.status === 'OUT_OF_STOCK');

  const refused = async (received: unknown, reason: string, secrets = secret) => {
    const other = sandbox.open({ webhookSecrets: secrets }).webhooks;
    const found = await other.verify(headers, received as Buffer);
    assert.ok(!found.isValid && found.reason === reason, JSON.stringify(found));
  };
  await refused(JSON.parse(body.toString()), 'bodyReserialized');
  await refused(
    Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)),
    'bodyReserialized',
  );
  await refused(
    Buffer.from(body.toString().replace('OUT_OF_STOCK', 'OUT_OF_STICK')),
    'wrongSecret',
  );
  await refused(body, 'wrongSecret', `whsec_${Buffer.alloc(32).toString('base64')}`);
});
