import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { OperationId, Scope } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Database } from '../../src/database/database.ts';
import type { Access, Caller } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { openEnvironmentClock } from '../../src/sandbox/clock.ts';
import { type ClockDeps, clockHandlers } from '../../src/sandbox/office/handlers.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { person } from '../clients/fixture.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { insertRestaurant } from '../rows.ts';
import { type ClockFixture, openClockFixture } from './clock-fixture.ts';

const REAL_MS = Date.UTC(2026, 2, 1, 12, 0, 0);
const NOW = '2026-03-01T12:00:00.000Z';

let own: TestDatabase;
let database: Database;
before(async () => {
  own = await createTestDatabase();
  ({ database } = own);
});
after(() => own.drop());

let fixture: ClockFixture;
let deps: ClockDeps;
/** Every test begins with a clock that stands at NOW. */
beforeEach(async () => {
  fixture = await openClockFixture(database, new FixedClock(REAL_MS));
  await fixture.mover.set(REAL_MS);
  await fixture.mover.freeze();
  deps = { ...fixture, access: restaurantAccess({ ...idleCaches(database), database }) };
});

type Move = 'get' | 'freeze' | 'run' | 'set' | 'advance' | 'next';

const operator = principal({ type: 'BACK_OFFICE' });
const ofGroup = (managementGroupGuid: string) =>
  principal({ type: 'BACK_OFFICE', managementGroupGuid });

async function call(move: Move, body?: unknown, by: Caller = operator): Promise<TestAnswer> {
  const id: OperationId = `backOffice.clock.${move}`;
  return await callOperation(clockHandlers(deps), id, { body, caller: by });
}

test('backOffice.clock.get 200: how the clock stands, and what it waits for', async () => {
  fixture.realClock.advance(90_000);
  const { status, body } = await call('get');
  assert.equal(status, 200);
  const frozen = { now: NOW, mode: 'FROZEN', realNow: '2026-03-01T12:01:30.000Z' };
  assert.deepEqual(body, { ...frozen, isMovable: true, nextDeadline: null });
  fixture.work.add(REAL_MS + 300_000, 'anything');
  const { nextDeadline } = (await call('get')).body;
  assert.deepEqual(nextDeadline, { at: '2026-03-01T12:05:00.000Z', kind: 'entry' });
});

test('backOffice.clock.get 200: it tells at once what another process did', async () => {
  const there = await openClockFixture(database, fixture.realClock);
  await there.mover.set(REAL_MS + 1);
  assert.equal((await call('get')).body.now, '2026-03-01T12:00:00.001Z');
});

test('backOffice.clock.advance 200: what was done on the way is listed', async () => {
  fixture.work.add(REAL_MS + 60_000, 'reminder');
  const { status, body } = await call('advance', { duration: 'PT5M' });
  assert.equal(status, 200);
  assert.equal(body.clock.now, '2026-03-01T12:05:00.000Z');
  assert.equal(body.stoppedBecause, null);
  const nothing = { merchantGuid: null, paymentUuid: null };
  assert.deepEqual(body.done, [
    {
      at: '2026-03-01T12:01:00.000Z',
      kind: 'reminder',
      ...nothing,
      ...{ fromState: null, cause: null, toState: null, webhook: null },
    },
  ]);
});

test('backOffice.clock.advance 200: webhooks are told to whom their partner is told', async () => {
  const partnerGuid = newGuid();
  const names = { endpointGuid: newGuid(), deliveryGuid: newGuid(), eventGuid: newGuid() };
  const outcome = { eventType: 'partner_updated', outcome: 'STATUS', status: 500, state: 'QUEUED' };
  const webhook = { partnerGuid, ...names, ...outcome, nextMs: REAL_MS + 300_000 };
  const none = { merchantGuid: null, paymentUuid: null };
  const none2 = { fromState: null, cause: null, toState: null };
  const done = [{ dueMs: REAL_MS, kind: 'webhook', ...none, ...none2, webhook }];
  const mover = { ...fixture.mover, advance: async () => ({ done, stoppedBecause: null }) };
  deps = { ...deps, mover };
  const shownTo = async (by: Caller) => (await call('advance', { duration: 'PT5M' }, by)).body.done;
  const told = { ...names, ...outcome, nextAt: '2026-03-01T12:05:00.000Z' };
  assert.deepEqual(await shownTo(operator), [
    { at: NOW, kind: 'webhook', ...none, ...none2, webhook: told },
  ]);
  assert.deepEqual(await shownTo(ofGroup(newGuid())), []);
  const scopes = new Set<Scope>(['clock:write']);
  const ofPartner = (guid: string) => person({ scopes, place: { kind: 'partner', guid } });
  assert.equal((await shownTo(ofPartner(partnerGuid))).length, 1);
  assert.deepEqual(await shownTo(ofPartner(newGuid())), []);
});

test('backOffice.clock.advance 200: a client is told of its own restaurants only', async () => {
  const own = await insertRestaurant(database.sql);
  const foreign = await insertRestaurant(database.sql);
  const merchants = [own.guid, foreign.guid, own.guid, newGuid(), null];
  const done = merchants.map((merchantGuid, index) => ({
    ...{ dueMs: REAL_MS + index, kind: 'payment', merchantGuid, paymentUuid: null },
    ...{ fromState: null, cause: null, toState: null },
  }));
  const mover = { ...fixture.mover, advance: async () => ({ done, stoppedBecause: null }) };
  deps = { ...deps, mover };
  const shownTo = async (by: Caller) => {
    const { body } = await call('advance', { duration: 'PT5M' }, by);
    return body.done.map((one: { merchantGuid: string | null }) => one.merchantGuid);
  };
  const shown = await shownTo(ofGroup(own.managementGroupGuid));
  assert.deepEqual(shown, [own.guid, own.guid, null]);
  assert.deepEqual(await shownTo(operator), [own.guid, foreign.guid, own.guid, null]);
});

test('backOffice.clock.advance 200: the list is in the order of time', async () => {
  const none = { merchantGuid: null, paymentUuid: null, fromState: null, cause: null };
  const done = [5, 3, 5, 7].map((dueMs, index) => {
    return { ...none, toState: null, dueMs: REAL_MS + dueMs, kind: `${index}` };
  });
  deps = {
    ...deps,
    mover: { ...fixture.mover, advance: async () => ({ done, stoppedBecause: null }) },
  };
  const { body } = await call('advance', { duration: 'PT5M' });
  const kinds = body.done.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ['1', '0', '2', '3']);
});

test('backOffice.clock.next 200: why it stopped early is told', async () => {
  const stoppedBecause = '10000 pieces of work were done and more is due.';
  const mover = { ...fixture.mover, next: async () => ({ done: [], stoppedBecause }) };
  deps = { ...deps, mover };
  assert.equal((await call('next')).body.stoppedBecause, stoppedBecause);
  const told = (await call('next', undefined, ofGroup('own'))).body.stoppedBecause;
  assert.match(told, /^more is due than one move does: .* Move it again to go on\.$/);
});

test('backOffice.clock.get, next 200: a group’s account is told of its own deadlines', async () => {
  const enter = (minute: number, group: string) =>
    fixture.work.add(REAL_MS + minute * 60_000, 'reminder', () => {}, group);
  enter(1, 'others');
  const get = async (by: Caller) => (await call('get', undefined, by)).body.nextDeadline;
  assert.equal(await get(ofGroup('own')), null);
  enter(5, 'own');
  const own = { at: '2026-03-01T12:05:00.000Z', kind: 'entry' };
  assert.deepEqual(await get(ofGroup('own')), own);
  assert.deepEqual(await get(operator), { ...own, at: '2026-03-01T12:01:00.000Z' });
  enter(7, 'others');
  const { clock } = (await call('next', undefined, ofGroup('own'))).body;
  assert.deepEqual([clock.now, clock.nextDeadline], [own.at, null]);
  assert.equal(await fixture.work.nextDueMs(), REAL_MS + 7 * 60_000);
});

test('backOffice.clock.freeze, run 200: repeats are harmless', async () => {
  for (const [move, mode] of [
    ['freeze', 'FROZEN'],
    ['run', 'RUNNING'],
    ['run', 'RUNNING'],
  ] as const) {
    const { status, body } = await call(move);
    assert.equal(status, 200);
    assert.deepEqual([body.clock.mode, body.clock.now, body.done], [mode, NOW, []]);
  }
});

test('backOffice.clock.next 200: to the next deadline, or nowhere when nothing waits', async () => {
  assert.equal((await call('next')).body.clock.now, NOW);
  fixture.work.add(REAL_MS + 60_000, 'reminder');
  const { clock, done } = (await call('next')).body;
  assert.deepEqual([clock.now, done.length], ['2026-03-01T12:01:00.000Z', 1]);
});

test('backOffice.clock.set 200: any ISO 8601 instant is read, in the past too', async () => {
  const texts: readonly (readonly [string, string])[] = [
    ['2026-03-02T00:30:00.000Z', '2026-03-02T00:30:00.000Z'],
    ['2026-03-01T18:30:00-06:00', '2026-03-02T00:30:00.000Z'],
    ['2026-03-01T18:30:00.1239-0600', '2026-03-02T00:30:00.123Z'],
    ['2026-03-02T00:30Z', '2026-03-02T00:30:00.000Z'],
    ['2020-02-29T23:59:59.999Z', '2020-02-29T23:59:59.999Z'],
  ];
  for (const [now, expected] of texts) {
    assert.equal((await call('set', { now })).body.clock.now, expected, now);
  }
});

const wrongBodies: readonly (readonly [Move, number, unknown, RegExp])[] = [
  ['set', 400, {}, /^now /],
  ['set', 422, { now: null }, /^now /],
  ['set', 422, [], /^The body must be/],
  ['set', 422, 'tomorrow', /^The body must be/],
  ['set', 422, { now: 1_772_366_400_000 }, /^now /],
  ['set', 422, { now: 'tomorrow' }, /must be an instant, for example 2026-01-31T18:30:00\.000Z/],
  ['set', 422, { now: '2026-03-01T12:00:00' }, /must be an instant/],
  ['set', 422, { now: '2026-02-30T12:00:00Z' }, /must be an instant/],
  ['set', 422, { now: '1999-12-31T23:59:59.999Z' }, /from 2000-01-01T00:00:00\.000Z to 8999-/],
  ['set', 422, { now: '9000-01-01T00:00:00Z' }, /from 2000-01-01T00:00:00\.000Z to 8999-/],
  ['set', 422, { now: '+012345-01-01T00:00:00Z' }, /must be an instant/],
  ['advance', 400, {}, /^duration /],
  ['advance', 422, 5, /^The body must be/],
  ['advance', 422, { duration: 300 }, /^duration /],
  ['advance', 422, { duration: '5 minutes' }, /must be a duration/],
  ['advance', 422, { duration: 'P' }, /must be a duration/],
  ['advance', 422, { duration: '-PT5M' }, /must be greater than zero/],
  ['advance', 422, { duration: 'PT0S' }, /must be greater than zero/],
  ['advance', 422, { duration: 'PT0.0001S' }, /in whole milliseconds/],
  ['advance', 422, { duration: 'P7000Y' }, /The clock cannot go there/],
  ['advance', 422, { duration: `P${'9'.repeat(200)}D` }, /must be a duration/],
];
for (const [move, status, body, message] of wrongBodies) {
  const text = JSON.stringify(body).slice(0, 50);
  test(`backOffice.clock.${move} ${status}: ${text} is told what is wrong`, async () => {
    const answer = await call(move, body);
    assert.equal(answer.status, status);
    assert.match(answer.body.message, message);
    assert.equal((await call('get')).body.now, NOW);
  });
}

test('backOffice.clock 409: a move while another process moves the clock', async () => {
  const there = await openClockFixture(database, fixture.realClock);
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  there.work.add(REAL_MS + 60_000, 'long', () => {
    see();
    return mayEnd;
  });
  fixture.work.add(REAL_MS + 60_000, 'waits');
  const move = there.mover.next(everywhere);
  await isSeen;
  const bodies = { set: { now: NOW }, advance: { duration: 'PT5M' } };
  for (const name of ['freeze', 'run', 'set', 'advance', 'next'] as const) {
    const { status, body } = await call(name, (bodies as Record<string, unknown>)[name]);
    assert.equal(status, 409, name);
    assert.match(body.message, /The clock is already being moved/);
  }
  end();
  await move;
});

test('backOffice.clock.get 200: that of production tells its time', async () => {
  const { realClock } = fixture;
  const { clock } = await openEnvironmentClock({ database, realClock }, 'production');
  const access: Access = restaurantAccess({ ...idleCaches(database), database });
  deps = { clock, realClock, mover: null, dueWork: [], access };
  const running = { now: NOW, mode: 'RUNNING', realNow: NOW };
  const { body } = await call('get');
  assert.deepEqual(body, { ...running, isMovable: false, nextDeadline: null });
});
