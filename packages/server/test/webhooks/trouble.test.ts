import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { afterAttempt } from '../../src/webhooks/delivery/circuit.ts';
import { DeliveryWork } from '../../src/webhooks/delivery/delivery-work.ts';
import type { ClaimedDelivery } from '../../src/webhooks/delivery/due-delivery-store.ts';
import { DeliveryLanes } from '../../src/webhooks/delivery/lanes.ts';
import type { EndpointStanding } from '../../src/webhooks/endpoints/endpoint-store.ts';
import { addWebhookSecret, setEndpointState } from '../../src/webhooks/endpoints/endpoints.ts';
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

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const countAt = (path: string) =>
  fixture.receiver.received.filter((got) => got.path === path).length;
const statesOf = async (endpoint: TestEndpoint) =>
  (await endpoint.deliveries()).map(({ state }) => state);

async function breakSecret({ guid }: TestEndpoint): Promise<void> {
  await fixture.database.sql`
    update webhook_secret set sealed = ${Buffer.alloc(80, 1)} where endpoint_guid = ${guid}`;
}

test('trouble: beside a secret that cannot be opened a new one signs, and at once', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/new-secret');
  await breakSecret(endpoint);
  await partner.events(2);
  await fixture.deliver();
  assert.equal((await endpoint.view()).stateReason, 'SECRET');
  const draft = { label: null, expiresAt: null, othersExpireAt: null };
  await addWebhookSecret(fixture.manage, endpoint.guid, draft, authority(fixture));
  await fixture.deliver();
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED', 'DELIVERED']);
  const told = fixture.logged.filter((line) =>
    line.endsWith('cannot be decrypted; signing with the others'),
  );
  assert.ok(told.length > 0);
});

test('trouble: a move of a year past a broken secret tries it a few times', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/sealed-for-ever');
  await breakSecret(endpoint);
  await partner.events(1);
  const work = new DeliveryWork(fixture.deps);
  const untilMs = fixture.clock.nowMs() + 365 * DAY_MS;
  let rounds = 0;
  for (;;) {
    const dueMs = await work.nextDueMs();
    if (dueMs === null || dueMs > untilMs) break;
    rounds += 1;
    assert.ok(rounds <= 60, 'each probe takes its time, and a move waits for all of them');
    fixture.clock.advance(Math.max(0, dueMs - fixture.clock.nowMs()));
    await work.runDue(dueMs, { isSequential: true, piecesAtMost: 1 });
  }
  assert.ok(rounds >= 5);
  const draft = { label: null, expiresAt: null, othersExpireAt: null };
  await addWebhookSecret(fixture.manage, endpoint.guid, draft, authority(fixture));
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED']);
});

test('trouble: probes and a pause use up no early retry', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/early', { retryDelaysSeconds: [300] });
  fixture.receiver.answer('/early', status(410));
  await partner.events(1);
  for (let probe = 0; probe <= 12; probe += 1) {
    await fixture.deliver();
    fixture.clock.advance(2 * HOUR_MS);
  }
  assert.ok((await endpoint.attempts()).length >= 12);
  fixture.receiver.answer('/early', status(429, { 'retry-after': '1' }));
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await fixture.deliver();
    fixture.clock.advance(SECOND_MS);
  }
  assert.deepEqual(await statesOf(endpoint), ['QUEUED']);
  const [hidden] = await listHidden(fixture.database.sql, endpoint.guid);
  assert.equal(hidden?.tries, 0);
});

test('trouble: what was claimed is given back when the clock cannot be looked at', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/given-back');
  await partner.events(3);
  const refresh = async () => {
    throw new Error('scripted break of the connection');
  };
  const clock = { nowMs: () => fixture.clock.nowMs(), refresh };
  await assert.rejects(fixture.deliver({ clock }), /scripted break/);
  assert.equal(countAt('/given-back'), 0);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED', 'DELIVERED', 'DELIVERED']);
});

test('trouble: a change does not try what rests; the next look does', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/rests');
  fixture.receiver.answer('/rests', status(500));
  await partner.events(30);
  const work = new DeliveryWork(fixture.deps);
  const look = () => work.runDue(fixture.clock.nowMs(), { isSequential: false });
  await look();
  const tried = countAt('/rests');
  for (let change = 0; change < 20; change += 1) {
    work.wake();
    await endpoint.view();
    await work.settled();
  }
  assert.equal(countAt('/rests'), tried);
  await look();
  assert.equal(countAt('/rests'), tried + 1);
});

test('trouble: a success after a failure ends the row, claimed together or not', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/repaired');
  const held: ServerResponse[] = [];
  const allAreHeld = Promise.withResolvers<void>();
  const hold = (response: ServerResponse) => {
    held.push(response);
    if (held.length === 3) allAreHeld.resolve();
  };
  fixture.receiver.answer('/repaired', status(500), hold);
  await partner.events(4);
  const delivering = fixture.deliver();
  await allAreHeld.promise;
  while ((await endpoint.view()).failures === 0);
  for (const response of held) response.writeHead(204).end();
  await delivering;
  assert.equal((await endpoint.view()).failures, 0);
});

test('trouble: an endpoint that leads inside again and again is probed ever more seldom', () => {
  const nowMs = Date.parse('2027-03-01T12:00:00Z');
  let standing: EndpointStanding = {
    ...{ state: 'ACTIVE', stateReason: null, stateDetail: null, stateBy: 'somebody' },
    ...{ stateSince: new Date(0), failures: 0, failingSince: null, probes: 0, probeAt: null },
  };
  const waits: number[] = [];
  const event = { askedDelayMs: null, isClockMoved: false };
  let atMs = nowMs;
  for (let round = 0; round < 4; round += 1) {
    const blocked = { ...event, failure: 'It leads in.', pause: 'BLOCKED' } as const;
    standing = afterAttempt(standing, { ...blocked, isProbe: false, nowMs: atMs });
    waits.push(Number(standing.probeAt) - atMs);
    atMs = Number(standing.probeAt);
    const taken = { ...event, failure: null, pause: null, isProbe: true, nowMs: atMs };
    standing = afterAttempt(standing, taken);
    assert.equal(standing.state, 'ACTIVE');
  }
  assert.deepEqual(waits, [30_000, 60_000, 120_000, 240_000]);
});

test('trouble: what only waits to be written keeps no place from other endpoints', () => {
  const lanes = new DeliveryLanes(() => 0);
  const { limit } = lanes.plan();
  const claimed = (endpointGuid: string) =>
    ({ partnerGuid: 'p', endpointGuid, endpoint: { failures: 0 } }) as unknown as ClaimedDelivery;
  const all = Array.from({ length: 10 }, () => claimed('failing'));
  for (const each of all) void lanes.enter(each);
  assert.equal(lanes.plan().limit, limit - 10);
  for (const each of all) lanes.release(each);
  assert.equal(lanes.plan().limit, limit);
  assert.equal(lanes.plan().known[0]?.claimed, 10, 'its own endpoint has them claimed');
  for (const each of all) lanes.finish(each);
  assert.equal(lanes.plan().limit, limit);
});

test('trouble: a claim that its partner had no room for is made again once it has', async () => {
  const lanes = new DeliveryLanes(() => 0);
  const claimed = (endpointGuid: string) =>
    ({ partnerGuid: 'p', endpointGuid, endpoint: { failures: 0 } }) as unknown as ClaimedDelivery;
  const deliver = async (each: ClaimedDelivery) => {
    const number = await lanes.enter(each);
    assert.ok(number);
    lanes.learn(each, number, { status: 200, durationMs: 20, outcome: 'DELIVERED' });
    return () => {
      lanes.leave(each);
      lanes.finish(each);
    };
  };
  // Quick answers have shown that it takes hundreds at once.
  for (let count = 0; count < 600; count += 1) (await deliver(claimed('sound')))();
  for (let count = 0; count < 1_000; count += 1) void lanes.enter(claimed('hangs'));
  const underWay = await Promise.all(Array.from({ length: 20 }, () => deliver(claimed('sound'))));
  const plan = lanes.plan();
  // More than these four have no room: and while they are claimed, the others come to their end.
  const four = Array.from({ length: plan.ofPartner - 1_020 }, () => claimed('sound'));
  for (const end of underWay) end();
  for (const each of four) void lanes.enter(each);
  assert.equal(lanes.filled(plan, four), true, 'there may be more, and there is room by now');
});
