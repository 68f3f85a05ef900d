import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { instantTimer, type Timer } from '@servery/support/timer.ts';
import type { Database } from '../../src/database/database.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { DeliveryWork } from '../../src/webhooks/delivery/delivery-work.ts';
import { forgetEvents } from '../../src/webhooks/delivery/forget.ts';
import { listExtras } from '../../src/webhooks/delivery/queue-store.ts';
import { countReplay, replayEvents } from '../../src/webhooks/delivery/replay.ts';
import type { ReplaySelection } from '../../src/webhooks/delivery/replay-store.ts';
import { sendSyntheticEvent, sendTestEvent } from '../../src/webhooks/endpoints/test-event.ts';
import { Targets } from '../../src/webhooks/sockets/targets.ts';
import { listHidden } from './event-rows-store.ts';
import {
  authority,
  openWebhookFixture,
  type TestEndpoint,
  type WebhookFixture,
} from './fixture.ts';
import { stall, status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const inOrder = { isSequential: true };

const gotAt = (path: string) => fixture.receiver.received.filter((got) => got.path === path);
const refsAt = (path: string) =>
  gotAt(path).map(({ body }) => Number(JSON.parse(body).details.externalGroupRef));
const statesOf = async (endpoint: TestEndpoint) =>
  (await endpoint.deliveries()).map(({ state }) => state);

function replay(endpoint: TestEndpoint, selection: ReplaySelection, expectedCount = null) {
  const asked = { endpointGuid: endpoint.guid, selection, expectedCount };
  return replayEvents(fixture.manage, asked, authority(fixture));
}

test('work: four processes share 80 deliveries, and none is sent twice', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/shared');
  await partner.events(80);
  await Promise.all(Array.from({ length: 4 }, () => fixture.deliver()));
  assert.deepEqual(new Set(await statesOf(endpoint)), new Set(['DELIVERED']));
  assert.equal(gotAt('/shared').length, 80);
  assert.equal(new Set(refsAt('/shared')).size, 80);
});

test('work: an endpoint that hangs delays no other', async () => {
  const partner = await fixture.partner();
  await partner.endpoint('/hangs');
  const quick = await partner.endpoint('/quick');
  fixture.receiver.answer('/hangs', stall);
  await partner.events(20);
  const { targets } = fixture.deps;
  const hanging = new Targets({ rules: { allowsLoopback: true }, timer: fixture.timer });
  const stop = new AbortController();
  const post: typeof targets.post = (request) =>
    (request.url.endsWith('/hangs') ? hanging : targets).post(request);
  const delivering = fixture.deliver({ targets: { post }, stopping: stop.signal });
  const before = fixture.receiver.received.filter(
    ({ path }) => !/^.(hangs|quick)$/.test(path),
  ).length;
  await fixture.receiver.untilReceived(before + 20 + 4);
  assert.equal(gotAt('/quick').length, 20);
  stop.abort();
  await hanging.close();
  await delivering;
  assert.deepEqual(new Set(await statesOf(quick)), new Set(['DELIVERED']));
  fixture.receiver.answer('/hangs', status(200));
  await fixture.deliver();
});

test('work: a process that dies between call and record leaves it to the next', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/killed');
  await partner.events(1);
  const { database } = fixture;
  const died = async () => {
    throw new Error('scripted death');
  };
  const sql = Object.assign((...call: Parameters<Database['sql']>) => {
    const text = call[0].join(' ');
    if (text.includes('webhook_attempt')) throw new Error('scripted death');
    return database.sql(...call);
  }, database.sql) as unknown as Database['sql'];
  await fixture.deliver({ timer: instantTimer, database: { ...database, sql, transaction: died } });
  assert.equal(gotAt('/killed').length, 1);
  await fixture.deliver();
  assert.equal(gotAt('/killed').length, 1, 'not while the lease lasts');
  assert.deepEqual(await statesOf(endpoint), ['QUEUED']);
  fixture.realClock.advance(20 * SECOND_MS);
  await fixture.deliver();
  const [first, again] = gotAt('/killed');
  assert.equal(first?.body, again?.body, 'one guid, one timestamp, the same bytes');
  assert.equal(again?.headers['platform-attempt-number'], '1');
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED']);
});

test('work: work that lost its lease writes nothing', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/late');
  fixture.receiver.answer('/late', status(500), status(200));
  await partner.events(1);
  const { targets } = fixture.deps;
  const goOn = Promise.withResolvers<void>();
  let other: Promise<void> = Promise.resolve();
  const post: typeof targets.post = async (request) => {
    const outcome = await targets.post(request);
    fixture.realClock.advance(20 * SECOND_MS);
    const isTaken = Promise.withResolvers<void>();
    const waits: typeof targets.post = async (again) => {
      isTaken.resolve();
      await goOn.promise;
      return await targets.post(again);
    };
    other = fixture.deliver({ targets: { post: waits } });
    await isTaken.promise;
    return outcome;
  };
  await fixture.deliver({ targets: { post } });
  assert.equal((await endpoint.attempts()).length, 0, 'somebody else has it by now');
  goOn.resolve();
  await other;
  assert.equal((await endpoint.attempts()).length, 1);
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED']);
});

test('work: a lease that is nearly over begins no call', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/short');
  await partner.events(1);
  const stop = new AbortController();
  const timer: Timer = {
    ...instantTimer,
    after(durationMs, run) {
      stop.abort();
      return instantTimer.after(durationMs, run);
    },
  };
  const realClock = { nowMs: lateReading() };
  const deps = { ...fixture.deps, realClock, stopping: stop.signal, timer };
  await new DeliveryWork(deps).runDue(fixture.clock.nowMs(), inOrder);
  assert.equal(gotAt('/short').length, 0);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED']);
});

/** Real time as a process reads it that stood still for a quarter of a minute after its claim. */
function lateReading(): () => number {
  let readings = 0;
  return () => {
    readings += 1;
    return fixture.realClock.nowMs() + (readings > 1 ? 15 * SECOND_MS : 0);
  };
}

test('work: a moved clock runs each retry at its own instant, in order', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/moved');
  fixture.receiver.answer('/moved', status(500), status(503), status(200));
  await partner.events(1);
  const startMs = fixture.clock.nowMs();
  const work = new DeliveryWork(fixture.deps);
  const done = [];
  for (;;) {
    const dueMs = await work.nextDueMs();
    if (dueMs === null) break;
    if (dueMs > fixture.clock.nowMs()) fixture.clock.advance(dueMs - fixture.clock.nowMs());
    done.push(...(await work.runDue(dueMs, { ...inOrder, piecesAtMost: 1 })));
  }
  assert.deepEqual(
    done.map(({ dueMs, kind, webhook }) => [dueMs - startMs, kind, webhook?.state]),
    [
      [0, 'webhook', 'QUEUED'],
      [5 * MINUTE_MS, 'webhook', 'QUEUED'],
      [15 * MINUTE_MS, 'webhook', 'DELIVERED'],
    ],
  );
  assert.deepEqual(
    (await endpoint.attempts()).map(({ at }) => at.getTime() - startMs),
    [0, 5 * MINUTE_MS, 15 * MINUTE_MS],
  );
});

test('work: what another process holds is waited for when the clock moves', async () => {
  const partner = await fixture.partner();
  await partner.endpoint('/waited');
  await partner.events(1);
  const { targets } = fixture.deps;
  let waits = 0;
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const post: typeof targets.post = async (request) => {
    begun.resolve();
    await goOn.promise;
    return await targets.post(request);
  };
  const holding = fixture.deliver({ targets: { post } });
  await begun.promise;
  const timer: Timer = {
    ...instantTimer,
    after(_durationMs, run) {
      waits += 1;
      goOn.resolve();
      void holding.then(run);
      return () => {};
    },
  };
  const work = new DeliveryWork({ ...fixture.deps, timer });
  assert.deepEqual(await work.runDue(fixture.clock.nowMs(), inOrder), []);
  assert.equal(waits, 1);
  assert.equal(gotAt('/waited').length, 1);
});

test('work: a clock that went back makes due what waits, and probes too', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/back');
  fixture.receiver.answer('/back', status(500));
  await partner.events(10);
  await endpoint.failUntilPaused();
  assert.ok((await endpoint.view()).probeAt);
  fixture.clock.advance(-DAY_MS);
  const work = new DeliveryWork(fixture.deps);
  await work.clockWentBack?.(fixture.clock.nowMs());
  const next = await work.nextDueMs();
  assert.equal(next, fixture.clock.nowMs());
  fixture.receiver.answer('/back', status(200));
  await fixture.deliver();
  assert.deepEqual(new Set(await statesOf(endpoint)), new Set(['DELIVERED']));
  fixture.clock.advance(DAY_MS);
});

test('work: nextDueMs tells of what lies within reach alone', async () => {
  const partner = await fixture.partner();
  await partner.endpoint('/reach');
  fixture.receiver.answer('/reach', status(500));
  await partner.events(1);
  await fixture.deliver();
  const work = new DeliveryWork(fixture.deps);
  const dueMs = fixture.clock.nowMs() + 5 * MINUTE_MS;
  const of = (partnerGuids: string[]) =>
    work.nextDueMs({ ...everywhere, isPlatform: false, partnerGuids });
  assert.equal(await of([partner.partnerGuid]), dueMs);
  assert.equal(await of([]), null);
  fixture.receiver.answer('/reach', status(200));
  fixture.clock.advance(5 * MINUTE_MS);
  await fixture.deliver();
});

test('work: a revoked account is told nothing', async () => {
  const partner = await fixture.partner();
  await partner.endpoint('/revoked');
  await partner.events(1);
  const { sql } = fixture.database;
  await sql`
    update api_client set revoked_at = ${new Date(fixture.clock.nowMs())}
    where client_id = ${partner.clientId}`;
  await partner.events(1);
  await fixture.deliver();
  assert.equal(gotAt('/revoked').length, 0);
});

test('replay: one, a range, since and the failed ones, counted first and marked', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/again', { retryDelaysSeconds: [] });
  fixture.receiver.answer('/again', status(200), status(500), status(200));
  // One after the other: of two at once either may come first.
  for (let count = 0; count < 2; count += 1) {
    await partner.events(1);
    await fixture.deliver();
  }
  fixture.clock.advance(MINUTE_MS);
  const laterMs = fixture.clock.nowMs();
  await partner.events(2);
  await fixture.deliver();
  const [first, dead] = await endpoint.deliveries();
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED', 'DEAD', 'DELIVERED', 'DELIVERED']);
  const of = async (selection: ReplaySelection) => {
    const asked = { endpointGuid: endpoint.guid, selection };
    const counted = await countReplay(fixture.manage, asked, authority(fixture));
    const before = gotAt('/again').length;
    const replayed = await replay(endpoint, selection);
    assert.equal(replayed.count, counted.count);
    await fixture.deliver();
    const got = gotAt('/again').slice(before);
    assert.ok(got.every(({ headers }) => headers['platform-replay'] === 'true'));
    return got.map(({ body }) => Number(JSON.parse(body).details.externalGroupRef)).sort();
  };
  assert.deepEqual(await of({ kind: 'event', eventGuid: first?.eventGuid ?? '' }), [1]);
  assert.deepEqual(await of({ kind: 'range', from: 2, to: 3 }), [2, 3]);
  assert.deepEqual(await of({ kind: 'since', at: new Date(laterMs) }), [3, 4]);
  assert.deepEqual(await of({ kind: 'failed' }), [], 'the range has replayed the dead letter');
  assert.equal(
    (await endpoint.deliveries()).find(({ guid }) => guid === dead?.guid)?.isReplayed,
    true,
  );
  assert.equal((await listHidden(fixture.database.sql, endpoint.guid))[1]?.replayedBy, 2);
  const bodies = new Set(gotAt('/again').map(({ body }) => body));
  assert.equal(bodies.size, 4, 'the bytes of the first time');
  const extras = await listExtras(fixture.database.sql, partner.partnerGuid, 0, 100);
  assert.deepEqual(
    extras.map(({ number, kind, position }) => [number, kind, position]),
    [1, 2, 3, 3, 4].map((position, index) => [index + 1, 'REPLAY', position]),
  );
});

test('replay: the failed ones go out again in their order, and once', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/failed', { retryDelaysSeconds: [], isOrdered: true });
  fixture.receiver.answer('/failed', status(400));
  await partner.events(5);
  // After three failures in a row, each look sends one.
  for (let look = 0; look < 3; look += 1) await fixture.deliver();
  fixture.receiver.answer('/failed', status(200));
  assert.equal((await replay(endpoint, { kind: 'failed' })).count, 5);
  assert.equal((await replay(endpoint, { kind: 'failed' })).count, 0);
  await fixture.deliver();
  assert.deepEqual(refsAt('/failed'), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
});

test('replay: other partners get nothing, and a wrong count is refused', async () => {
  const [one, other] = [await fixture.partner(), await fixture.partner()];
  await one.events(3);
  const endpoint = await other.endpoint('/strange');
  assert.equal((await replay(endpoint, { kind: 'range', from: 1, to: 99 })).count, 0);
  await other.events(1);
  const asked = {
    endpointGuid: endpoint.guid,
    selection: { kind: 'range', from: 1, to: 9 } as const,
  };
  await assert.rejects(
    replayEvents(fixture.manage, { ...asked, expectedCount: 2 }, authority(fixture)),
    /There are now 1 events instead of 2/,
  );
});

test('test event: one endpoint gets it marked, streams see it, and no log does', async () => {
  const partner = await fixture.partner();
  const one = await partner.endpoint('/tested');
  await partner.endpoint('/untested', { eventTypes: ['partner_removed'] });
  const event = { eventType: 'partner_added' } as const;
  const sent = await sendTestEvent(fixture.manage, one.guid, event, authority(fixture));
  await sendSyntheticEvent(fixture.manage, partner.partnerGuid, event, authority(fixture).origin);
  await fixture.deliver();
  const got = gotAt('/tested');
  assert.ok(got.every(({ headers }) => headers['platform-test'] === 'true'));
  assert.ok(got.some(({ body }) => JSON.parse(body).guid === sent.eventGuid));
  assert.deepEqual([got.length, gotAt('/untested').length], [2, 0]);
  const extras = await listExtras(fixture.database.sql, partner.partnerGuid, 0, 10);
  assert.deepEqual(
    extras.map(({ kind, position }) => [kind, position]),
    [
      ['TEST', null],
      ['TEST', null],
    ],
  );
  const deliveries = await one.deliveries();
  assert.deepEqual(
    deliveries.map(({ isTest, eventPosition, state }) => [isTest, eventPosition, state]),
    Array.from({ length: 2 }, () => [true, null, 'DELIVERED']),
  );
});

test('forget: events go after their time, but not what waits or was given up of late', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/forgotten', { retryDelaysSeconds: [] });
  fixture.receiver.answer('/forgotten', status(200), status(410));
  for (let count = 0; count < 2; count += 1) {
    await partner.events(1);
    await fixture.deliver();
  }
  assert.deepEqual(await statesOf(endpoint), ['DELIVERED', 'QUEUED']);
  const positions = async () => {
    const rows = await fixture.database.sql<{ position: number }[]>`
      select position from partner_event where partner_guid = ${partner.partnerGuid}
      order by position`;
    return rows.map(({ position }) => position);
  };
  const days = 30;
  fixture.clock.advance(days * DAY_MS - 1);
  await forgetEvents(fixture.database, fixture.clock.nowMs(), days);
  assert.deepEqual(await positions(), [1, 2]);
  fixture.clock.advance(1);
  await forgetEvents(fixture.database, fixture.clock.nowMs(), days);
  assert.deepEqual(await positions(), [2]);
  assert.deepEqual(await statesOf(endpoint), ['QUEUED']);
});
