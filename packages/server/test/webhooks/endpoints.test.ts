import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listEntries } from '../../src/audit/entry-store.ts';
import { revokeAccount } from '../../src/clients/revoke-account.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { listDeliveries } from '../../src/webhooks/delivery/delivery-store.ts';
import { dropDelivery } from '../../src/webhooks/delivery/drop-delivery.ts';
import { forgetEvents } from '../../src/webhooks/delivery/forget.ts';
import { replayEvents } from '../../src/webhooks/delivery/replay.ts';
import { listEndpointHealth } from '../../src/webhooks/endpoints/endpoint-store.ts';
import { archiveEndpoint, editEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { listWebhookSecrets } from '../../src/webhooks/endpoints/secret-store.ts';
import { signingSecrets } from '../../src/webhooks/endpoints/secrets.ts';
import { listHidden } from './event-rows-store.ts';
import {
  authority,
  openWebhookFixture,
  type TestEndpoint,
  type WebhookFixture,
} from './fixture.ts';
import { status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const statesOf = async (endpoint: TestEndpoint) =>
  (await endpoint.deliveries()).map(({ state }) => state);

/** What the audit log says that the platform did to an endpoint, the oldest first. */
async function platformChanges(endpoint: TestEndpoint) {
  const filter = { reach: everywhere, actor: 'system:webhooks' };
  const subject = { subjectKind: 'webhookEndpoint', subjectId: endpoint.guid } as const;
  const entries = await listEntries(fixture.database.sql, { ...filter, ...subject }, null, 100);
  return entries
    .reverse()
    .map(({ operation, after: document }) => [operation, document?.state, document?.stateReason]);
}

test('endpoints: a pause and its end by the platform are in the audit log', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/told');
  fixture.receiver.answer('/told', status(410), status(410), status(204));
  await partner.events(1);
  await fixture.deliver();
  fixture.clock.advance(HOUR_MS);
  await fixture.deliver();
  assert.deepEqual(await platformChanges(endpoint), [['webhooks.pause', 'PAUSED', 'GONE']]);
  fixture.clock.advance(2 * HOUR_MS);
  await fixture.deliver();
  assert.deepEqual(await platformChanges(endpoint), [
    ['webhooks.pause', 'PAUSED', 'GONE'],
    ['webhooks.resume', 'ACTIVE', null],
  ]);
});

test('endpoints: revoking an account ends its endpoints, and what waits there', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/revoked');
  await partner.events(1);
  const { origin } = authority(fixture);
  await fixture.database.transaction((sql) => revokeAccount(sql, partner.clientId, origin));
  const { archivedAt, archivedBy } = await endpoint.view();
  assert.deepEqual([archivedAt, archivedBy], [new Date(fixture.clock.nowMs()), 'system:test']);
  const [delivery] = await endpoint.deliveries();
  assert.deepEqual(
    [delivery?.state, delivery?.reason],
    ['DROPPED', 'The account of the endpoint was revoked.'],
  );
});

test('endpoints: an archived one has no live secret, and strays are dropped', async () => {
  const { sql } = fixture.database;
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/archived');
  await partner.events(1);
  await archiveEndpoint(fixture.manage, endpoint.guid, authority(fixture));
  const secrets = await listWebhookSecrets(sql, [endpoint.guid]);
  assert.deepEqual(
    secrets.map(({ revokedBy }) => revokedBy),
    ['system:test'],
  );
  // As if the event had been committed after the endpoint was archived.
  await sql`
    update webhook_delivery
    set state = 'QUEUED', finished_at = null, dropped_by = null, drop_reason = null
    where endpoint_guid = ${endpoint.guid}`;
  await forgetEvents(fixture.database, fixture.clock.nowMs(), 30);
  assert.deepEqual(await statesOf(endpoint), ['DROPPED']);
  const [hidden] = await listHidden(sql, endpoint.guid);
  assert.equal(hidden?.droppedBy, 'system:webhooks');
});

test('deliveries: what was sent as somebody dropped it is visible, and stays dropped', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/dropped');
  await partner.events(1);
  const [delivery] = await endpoint.deliveries();
  const { targets } = fixture.deps;
  const post: typeof targets.post = async (request) => {
    const outcome = await targets.post(request);
    await dropDelivery(fixture.manage, delivery?.guid ?? '', 'Done by hand.', authority(fixture));
    return outcome;
  };
  await fixture.deliver({ targets: { post } });
  const [dropped] = await endpoint.deliveries();
  assert.deepEqual([dropped?.state, dropped?.attemptCount], ['DROPPED', 1]);
  const attempts = await endpoint.attempts();
  assert.deepEqual(
    attempts.map(({ number, outcome }) => [number, outcome]),
    [[1, 'DELIVERED']],
  );
});

test('endpoints: another address is tried at once', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/moved-away');
  fixture.receiver.answer('/moved-away', status(410));
  await partner.events(2);
  await fixture.deliver();
  const edit = { url: fixture.receiver.url('/moved-here') };
  await editEndpoint(fixture.manage, endpoint.guid, edit, authority(fixture));
  assert.equal(Number((await endpoint.view()).probeAt), fixture.clock.nowMs());
  await fixture.deliver();
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED', 'DELIVERED']);
});

test('endpoints: of two at once, only one is the hundredth', async () => {
  const partner = await fixture.partner();
  for (let number = 1; number < 100; number += 1) await partner.endpoint(`/many/${number}`);
  const results = await Promise.allSettled([partner.endpoint('/last'), partner.endpoint('/last')]);
  assert.deepEqual(results.map((result) => result.status).sort(), ['fulfilled', 'rejected']);
});

test('endpoints: two secrets sign at most, also when the clock went back', () => {
  const at = (ms: number) => new Date(ms);
  const newestFirst = [
    { guid: 'c', expiresAt: null },
    { guid: 'b', expiresAt: at(2_000) },
    { guid: 'a', expiresAt: at(1_000) },
  ];
  const names = (nowMs: number) => signingSecrets(newestFirst, nowMs).map(({ guid }) => guid);
  assert.deepEqual(names(500), ['c', 'b']);
  assert.deepEqual(names(3_000), ['c']);
});

test('forget: of what waits at a dead endpoint the last attempts are kept', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/dead');
  fixture.receiver.answer('/dead', status(410));
  await partner.events(1);
  await fixture.deliver();
  const probes = 55;
  for (let count = 0; count < probes; count += 1) {
    const { probeAt } = await endpoint.view();
    fixture.clock.advance(Number(probeAt) - fixture.clock.nowMs());
    await fixture.deliver();
  }
  await forgetEvents(fixture.database, fixture.clock.nowMs(), 3_650);
  const numbers = (await endpoint.attempts()).map(({ number }) => number);
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [50, probes - 48, probes + 1]);
});

test('health: when an event was taken last is told of however long ago', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/quiet');
  await partner.events(1);
  await fixture.deliver();
  const takenAt = new Date(fixture.clock.nowMs());
  fixture.clock.advance(3 * DAY_MS);
  const since = new Date(fixture.clock.nowMs() - DAY_MS);
  const [health] = await listEndpointHealth(fixture.database.sql, [endpoint.guid], since);
  assert.deepEqual([health?.attemptsLastDay, health?.lastDeliveredAt], [0, takenAt]);
});

test('deliveries: of one event with its replays, and on behind a forgotten one', async () => {
  const { sql } = fixture.database;
  const partner = await fixture.partner();
  const one = await partner.endpoint('/one');
  await partner.endpoint('/two');
  await partner.events(3);
  await fixture.deliver();
  const [, second] = await one.deliveries();
  assert.ok(second);
  const selection = { kind: 'event', eventGuid: second.eventGuid } as const;
  const asked = { endpointGuid: one.guid, selection, expectedCount: null };
  await replayEvents(fixture.manage, asked, authority(fixture));
  await fixture.deliver();
  const all = { reach: everywhere };
  const ofEvent = { ...all, eventGuid: second.eventGuid };
  const found = await listDeliveries(sql, ofEvent, null, 100);
  assert.deepEqual(found.map(({ isReplay }) => isReplay).sort(), [false, false, true]);
  assert.deepEqual(new Set(found.map(({ eventGuid }) => eventGuid)), new Set([second.eventGuid]));
  const ofOne = { ...all, endpointGuid: one.guid };
  const [, cursor, ...rest] = await listDeliveries(sql, ofOne, null, 100);
  assert.ok(cursor);
  await sql`delete from webhook_attempt where endpoint_guid = ${one.guid}`;
  await sql`delete from webhook_delivery where guid = ${cursor.guid}`;
  const next = await listDeliveries(sql, ofOne, cursor, 100);
  assert.deepEqual(
    next.map(({ guid }) => guid),
    rest.map(({ guid }) => guid),
  );
});
