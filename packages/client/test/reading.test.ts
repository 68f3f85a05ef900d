import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { Conflict, type SentRequest, TooManyRequests } from '../src/index.ts';
import { syncMenus } from '../src/menu.ts';
import { orderFault, publishEdit, type Sandbox, useSandbox } from './sandbox.ts';

let sandbox: Sandbox;
useSandbox((shared) => {
  sandbox = shared;
});

/** An integration, and the operations that it asked for. */
function watched() {
  const asked: string[] = [];
  const hooks = { onRequest: ({ operation }: SentRequest) => asked.push(operation) };
  const servery = sandbox.open({ hooks, retries: { pauseMs: 1 } });
  const count = (id: string) => asked.filter((one) => one === id).length;
  return { servery, asked, count };
}

const LIST = 'configuration.menuItems.list';

test('client: a walk is of one publication, or throws if you say so', async () => {
  const { servery, count } = watched();
  const { list } = servery.configuration.menuItems;
  const whole = await list().all();
  assert.ok(whole.length > 300 && count(LIST) === 2);

  await orderFault(sandbox, LIST, 'publicationBetweenPages');
  const guids: string[] = [];
  for await (const { guid } of list()) guids.push(guid);
  // Two pages before, one and a conflict, and two again.
  assert.equal(count(LIST), 6);
  assert.deepEqual(
    guids,
    whole.map(({ guid }) => guid),
  );

  await orderFault(sandbox, LIST, 'publicationBetweenPages');
  await assert.rejects(list({}, { onPublication: 'throw' }).all(), Conflict);
});

test('client: unknown fields and values of a newer platform pass through', async () => {
  const { servery } = watched();
  await orderFault(sandbox, 'configuration.taxRates.list', 'unknownValues');
  const rates = await servery.configuration.taxRates.list().all();
  assert.ok(rates.length > 0);
  assert.match(JSON.stringify(rates), /UNKNOWN_VALUE/i);
});

test('client: a token that was revoked is replaced once, however many calls notice', async () => {
  const { servery, count } = watched();
  await servery.menus.getMetadata();
  const { access_token: token } = await servery.transport.token();
  const { clientId, clientSecret } = sandbox.platform.demo.clients.partner;
  const revoked = await fetch(`${sandbox.baseUrl}/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret }),
  });
  assert.equal(revoked.status, 200);
  await Promise.all([1, 2, 3, 4, 5].map(() => servery.stock.list()));
  assert.equal(count('auth.token'), 2);
  assert.notEqual((await servery.transport.token()).access_token, token);
});

test('client: several processes share a token through a store', async () => {
  const kept = new Map();
  const { hooks, count } = (() => {
    const asked: string[] = [];
    return {
      hooks: { onRequest: ({ operation }: SentRequest) => asked.push(operation) },
      count: () => asked.filter((one) => one === 'auth.token').length,
    };
  })();
  const tokens = { get: (key: string) => kept.get(key), set: kept.set.bind(kept) };
  for (const _ of [1, 2]) await sandbox.open({ tokens, hooks }).menus.getMetadata();
  assert.equal(count(), 1);
  // One that the platform does not know any longer is replaced in the store.
  for (const [key, token] of kept) kept.set(key, { ...token, accessToken: 'a.b.c' });
  await sandbox.open({ tokens, hooks }).menus.getMetadata();
  assert.equal(count(), 2);
  assert.notEqual([...kept.values()][0].accessToken, 'a.b.c');
});

test('client: what was turned away is sent again when the platform says so', async () => {
  const { servery, count } = watched();
  const id = 'stock.list';
  await orderFault(sandbox, id, 'status', { status: 503 });
  await orderFault(sandbox, id, 'tooManyRequests', { retryAfterSeconds: 1 });
  await orderFault(sandbox, id, 'lostAnswer');
  await servery.stock.list();
  assert.equal(count(id), 4);

  await orderFault(sandbox, id, 'tooManyRequests', { retryAfterSeconds: 600 });
  await assert.rejects(servery.stock.list(), (error) => {
    assert.ok(error instanceof TooManyRequests);
    assert.equal(error.retryAfterMs, 600_000);
    assert.match(error.requestId ?? '', /^[\da-f-]{36}$/);
    assert.match(error.link ?? '', /\/errors\/\d+/);
    return true;
  });
});

test('client: a copy of the menus follows what is published, and reads nothing else', async () => {
  const { servery, asked, count } = watched();
  const first = await syncMenus(servery);
  assert.ok(first.document && first.configuration.taxRates.length > 0);

  asked.length = 0;
  // It is plain data: a process can begin with what another one stored.
  const stored = JSON.parse(JSON.stringify(first));
  assert.equal(await syncMenus(servery, stored), stored);
  assert.deepEqual(asked, ['platform.changes.list', 'menus.getMetadata']);

  const [item] = first.document.menus.flatMap(({ menuGroups }) => menuGroups[0]?.menuItems ?? []);
  assert.ok(item);
  await publishEdit(sandbox, 'menuItems', item.guid, { description: 'New words.' });
  asked.length = 0;
  const second = await syncMenus(servery, first);
  assert.match(JSON.stringify(second.document), /New words/);
  assert.equal(second.configuration, first.configuration);
  assert.equal(count('menus.get'), 1);

  const [rate] = first.configuration.taxRates;
  assert.ok(rate);
  await publishEdit(sandbox, 'taxRates', rate.guid, { name: 'Levy' });
  asked.length = 0;
  const third = await syncMenus(servery, second);
  assert.ok(third.configuration.taxRates.some(({ name }) => name === 'Levy'));
  assert.equal(third.document, second.document);
  assert.equal(count('menus.get'), 0);
});

test('client: asks for what changed since, with a minute of overlap', async () => {
  const { servery } = watched();
  const { printers } = servery.configuration;
  const before = new Date(Date.parse((await sandbox.operator.call('backOffice.clock.get')).now));
  const { changed: all } = await printers.changesSince(null);
  const [printer] = all;
  assert.ok(printer);
  await sandbox.platform.run(['clock', 'advance', '2h']);
  await publishEdit(sandbox, 'printers', printer.guid, { name: 'Behind the bar' });
  const later = new Date(before.getTime() + 3_600_000);
  const { changed, until } = await printers.changesSince(later);
  assert.deepEqual(
    changed.map(({ name }) => name),
    ['Behind the bar'],
  );
  assert.ok(until instanceof Date);
});

test('client: connected restaurants come from all pages', async () => {
  const { servery } = watched();
  const walk = servery.partners.connectedRestaurants.list({ pageSize: 1 });
  const guids = (await walk.all()).map(({ restaurantGuid }) => restaurantGuid);
  const listed = await servery.partners.restaurants.list();
  assert.ok(listed.length > 1);
  assert.deepEqual(guids.toSorted(), listed.map(({ restaurantGuid }) => restaurantGuid).toSorted());
});

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
