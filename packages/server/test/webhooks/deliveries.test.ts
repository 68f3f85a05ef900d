import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Database, Sql } from '../../src/database/database.ts';
import type { Place } from '../../src/reach/reach.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { openAccountFixture, person } from '../clients/fixture.ts';
import { insertPartner } from '../rows.ts';
import { updateAllDead, updateAllDelivered } from './office-rows-store.ts';
import { openReceiverAccount, type ReceiverAccount } from './receiver-account.ts';

const fixture = openAccountFixture();
const scopes = new Set<Scope>(['webhooks:read', 'webhooks:write']);
const at = (place: Place) => person({ scopes, place });

/** An endpoint with two deliveries that wait. */
async function queued(): Promise<{ receiver: ReceiverAccount; guid: string }> {
  const receiver = await openReceiverAccount(fixture);
  const { guid } = (await receiver.create()).endpoint;
  await receiver.events(2);
  return { receiver, guid };
}

test('backOffice.webhooks.deliveries.list 200: what waits, by filter, page by page', async () => {
  const { receiver, guid } = await queued();
  const all = await receiver.deliveries({ endpointGuid: guid });
  assert.deepEqual(
    all.map((delivery) => [delivery.eventType, delivery.eventPosition, delivery.state]),
    [
      ['partner_updated', 2, 'QUEUED'],
      ['partner_added', 1, 'QUEUED'],
    ],
  );
  const [newest, oldest] = all;
  assert.ok(newest && oldest);
  const only = async (query: Record<string, string>) =>
    (await receiver.deliveries({ endpointGuid: guid, ...query })).map((one) => one.eventPosition);
  assert.deepEqual(await only({ eventType: 'partner_added' }), [1]);
  assert.deepEqual(await only({ eventGuid: newest.eventGuid }), [2]);
  assert.deepEqual(await only({ state: 'DEAD' }), []);
  assert.deepEqual(await only({ since: newest.queuedAt }), [2, 1]);
  const later = new Date(Date.parse(newest.queuedAt) + 1).toISOString();
  assert.deepEqual(await only({ since: later }), []);
  const list = async (query: Record<string, string>) =>
    (await fixture.call('backOffice.webhooks.deliveries.list', { query })).body;
  const first = await list({ endpointGuid: guid, pageSize: '1' });
  const second = await list({ pageToken: first.nextPageToken });
  assert.deepEqual([...first.results, ...second.results], all);
  const wrong = [{ state: 'LOST' }, { endpointGuid: 'x' }, { eventGuid: 'x' }, { since: 'noon' }];
  for (const query of [...wrong, { eventType: 'x' }]) {
    const answer = await fixture.call('backOffice.webhooks.deliveries.list', { query });
    assert.equal(answer.status, 400, JSON.stringify(query));
  }
});

test('backOffice.webhooks.deliveries.get 200: with its body and every attempt', async () => {
  const { receiver, guid } = await queued();
  await updateAllDead(fixture.database.sql, guid);
  const [dead] = await receiver.deliveries({ endpointGuid: guid, state: 'DEAD' });
  assert.ok(dead);
  assert.deepEqual(
    [dead.attemptCount, dead.lastOutcome, dead.lastStatus, dead.reason, dead.dueAt],
    [1, 'STATUS', 400, 'The endpoint answered with 400.', null],
  );
  const { body } = await receiver.call('deliveries.get', dead.guid);
  assert.equal(JSON.parse(body.body).guid, dead.eventGuid);
  assert.equal(body.attempts.length, 1);
  assert.equal(body.attempts[0].requestHeaders['webhook-id'], dead.eventGuid);
  assert.equal((await receiver.call('endpoints.get', guid)).body.deadLetters, 2);
});

test('backOffice.webhooks.deliveries.get 200: of one instant with its attempts', async (t) => {
  const { receiver, guid } = await queued();
  const [waiting] = await receiver.deliveries({ endpointGuid: guid });
  assert.ok(waiting);
  const { database } = fixture;
  const transaction = database.transaction.bind(database);
  t.mock.method(database, 'transaction', ((run, options) =>
    transaction(async (sql) => {
      const afterIt = async (read: () => unknown) => {
        await updateAllDead(database.sql, guid);
        return await read();
      };
      const apply = (target: Sql, self: unknown, call: Parameters<Sql>) => {
        const read = () => Reflect.apply(target, self, call);
        // It is given up after it was read.
        return call[0].join(' ').includes('from webhook_attempt') ? afterIt(read) : read();
      };
      return await run(new Proxy(sql, { apply } as ProxyHandler<Sql>));
    }, options)) as Database['transaction']);
  const { body } = await receiver.call('deliveries.get', waiting.guid);
  assert.deepEqual([body.state, body.attempts], ['QUEUED', []]);
  const [dead] = await receiver.deliveries({ endpointGuid: guid, state: 'DEAD' });
  assert.ok(dead);
});

test('backOffice.webhooks.deliveries 404: seen by the platform and their partner', async () => {
  const { receiver, guid } = await queued();
  const [delivery] = await receiver.deliveries({ endpointGuid: guid });
  const stranger = at({ kind: 'partner', guid: await insertPartner(fixture.database.sql) });
  const own = at({ kind: 'partner', guid: receiver.partnerGuid });
  const deliveryGuid = delivery?.guid ?? '';
  const calls = [['deliveries.get'], ['deliveries.drop', { reason: 'No.' }]] as const;
  for (const [name, body] of calls) {
    const asked = (id: string, caller: typeof own) => receiver.call(name, id, body, { caller });
    assert.equal((await asked(deliveryGuid, stranger)).status, 404);
    assert.equal((await asked(newGuid(), own)).status, 404);
    assert.equal((await asked('x', own)).status, 404);
    assert.equal((await asked(deliveryGuid, own)).status, 200);
  }
  const query = { endpointGuid: guid };
  const listed = await fixture.call('backOffice.webhooks.deliveries.list', {
    caller: stranger,
    query,
  });
  assert.deepEqual(listed.body.results, []);
});

test('backOffice.webhooks.deliveries.drop 200 409: given up by a person, visibly', async () => {
  const { receiver, guid } = await queued();
  const [newest, oldest] = await receiver.deliveries({ endpointGuid: guid });
  assert.ok(newest && oldest);
  const reason = { reason: 'Entered by hand.' };
  const dropped = (await receiver.call('deliveries.drop', newest.guid, reason)).body;
  assert.deepEqual([dropped.state, dropped.reason], ['DROPPED', 'Entered by hand.']);
  assert.equal((await receiver.call('deliveries.drop', newest.guid, reason)).status, 200);
  const entries = await listAuditEntries(fixture.database.sql, newest.guid);
  assert.equal(entries.length, 1);
  await updateAllDelivered(fixture.database.sql, guid);
  assert.equal((await receiver.call('deliveries.drop', oldest.guid, reason)).status, 409);
  assert.equal((await receiver.call('deliveries.drop', oldest.guid, {})).status, 400);
});

test('backOffice.webhooks.replay 200: one, a range, the failed, since; counted first', async () => {
  const { receiver, guid } = await queued();
  await updateAllDead(fixture.database.sql, guid);
  const replay = async (body: object) => (await receiver.call('replay', guid, body)).body;
  const counted = await replay({ which: 'FAILED', dryRun: true });
  assert.deepEqual(counted, {
    endpointGuid: guid,
    count: 2,
    isDryRun: true,
    firstPosition: 1,
    lastPosition: 2,
    requestGuid: null,
  });
  assert.equal((await receiver.deliveries({ endpointGuid: guid, state: 'QUEUED' })).length, 0);
  assert.equal((await replay({ which: 'FAILED', expectedCount: 2 })).count, 2);
  const again = await receiver.deliveries({ endpointGuid: guid, state: 'QUEUED' });
  assert.deepEqual(
    again.map((delivery) => [delivery.eventPosition, delivery.isReplay]),
    [
      [2, true],
      [1, true],
    ],
  );
  assert.equal((await replay({ which: 'FAILED' })).count, 0, 'each dead letter once');
  const [dead] = await receiver.deliveries({ endpointGuid: guid, state: 'DEAD' });
  assert.ok(dead?.isReplayed);
  assert.equal((await replay({ which: 'EVENT', eventGuid: dead.eventGuid })).count, 1);
  assert.equal((await replay({ which: 'RANGE', fromPosition: 2, toPosition: 9 })).count, 1);
  assert.equal((await replay({ which: 'SINCE', since: dead.eventAt })).count, 2);
  const refused = { which: 'RANGE', fromPosition: 1, toPosition: 2, expectedCount: 3 };
  assert.equal((await receiver.call('replay', guid, refused)).status, 409);
});

test('backOffice.webhooks.replay 200: asked for again with its GUID, it is done once', async () => {
  const { receiver, guid } = await queued();
  const requestGuid = '01983a6e-4c1d-7f2e-9a30-0c5be1d7a410';
  const body = { which: 'RANGE', fromPosition: 1, toPosition: 2, requestGuid };
  const first = (await receiver.call('replay', guid, body)).body;
  assert.deepEqual([first.count, first.requestGuid], [2, requestGuid]);
  assert.deepEqual((await receiver.call('replay', guid, body)).body, first);
  const sent = await receiver.deliveries({ endpointGuid: guid });
  assert.equal(sent.filter(({ isReplay }) => isReplay).length, 2);
  const other = { ...body, requestGuid: null };
  assert.equal((await receiver.call('replay', guid, other)).body.count, 2);
});

test('backOffice.webhooks.replay 200: only events of the same partner', async () => {
  const one = await queued();
  const other = await queued();
  const [foreign] = await other.receiver.deliveries({ endpointGuid: other.guid });
  const body = { which: 'EVENT', eventGuid: foreign?.eventGuid, dryRun: true };
  const answer = await one.receiver.call('replay', one.guid, body);
  assert.ok(answer.status === 404 || answer.body.count === 0, JSON.stringify(answer.body));
});

test('backOffice.webhooks.replay 400 422: each fault is told', async () => {
  const { receiver, guid } = await queued();
  const status = async (body: unknown) => (await receiver.call('replay', guid, body)).status;
  for (const body of [{}, { which: 'EVENT' }, { which: 'RANGE', fromPosition: 1 }]) {
    assert.equal(await status(body), 400, JSON.stringify(body));
  }
  const wrong: readonly object[] = [
    ...[{ which: 'ALL' }, { which: 'EVENT', eventGuid: 'x' }, { which: 'SINCE', since: 'noon' }],
    ...[
      { which: 'RANGE', fromPosition: 2, toPosition: 1 },
      { which: 'FAILED', dryRun: 'yes' },
    ],
    ...[
      { which: 'RANGE', fromPosition: -1, toPosition: 1 },
      { which: 'FAILED', expectedCount: 1.5 },
    ],
    { which: 'RANGE', fromPosition: null, toPosition: 1 },
  ];
  for (const body of wrong) assert.equal(await status(body), 422, JSON.stringify(body));
});

test('backOffice.webhooks.test 200: an event that nothing caused, to this endpoint', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { guid } = (await receiver.create({ eventTypes: ['partner_added'] })).endpoint;
  const { guid: other } = (await receiver.create()).endpoint;
  const sent = (await receiver.call('test', guid, { eventType: 'partner_removed' })).body;
  assert.deepEqual(
    [sent.eventType, sent.isTest, sent.isReplay, sent.eventPosition, sent.state],
    ['partner_removed', true, false, null, 'QUEUED'],
  );
  assert.equal((await receiver.call('endpoints.get', other)).body.queued, 0);
  assert.equal((await receiver.call('test', guid, {})).status, 400);
  assert.equal((await receiver.call('test', guid, { eventType: 'x' })).status, 422);
});

test('backOffice.webhooks.trigger 200 404: to all endpoints that want it', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { guid } = (await receiver.create()).endpoint;
  await receiver.create({ eventTypes: ['partner_added'] });
  const trigger = (partnerGuid: string, body: object, rest: object = {}) =>
    fixture.call('backOffice.webhooks.trigger', { params: { partnerGuid }, body, ...rest });
  const eventType = 'partner_updated';
  const { body } = await trigger(receiver.partnerGuid, { eventType });
  const deliveries = await receiver.deliveries({ eventGuid: body.eventGuid });
  assert.deepEqual(
    deliveries.map((delivery) => [delivery.guid, delivery.endpointGuid, delivery.isTest]),
    [[body.deliveryGuids[0], guid, true]],
  );
  const stranger = at({ kind: 'partner', guid: await insertPartner(fixture.database.sql) });
  const refused = await trigger(receiver.partnerGuid, { eventType }, { caller: stranger });
  assert.equal(refused.status, 404);
  assert.equal((await trigger(newGuid(), { eventType })).status, 404);
  assert.equal((await trigger('x', { eventType })).status, 404);
  assert.equal((await trigger(receiver.partnerGuid, {})).status, 400);
});
