import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FixedClock } from '@servery/support/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { bringBack } from '../../src/sandbox/bring-back.ts';
import { openEnvironmentClock } from '../../src/sandbox/clock.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openClockFixture } from './clock-fixture.ts';

const REAL_MS = Date.UTC(2026, 2, 1, 12, 0, 0);
const MINUTE_MS = 60_000;
const HOLDER = fileURLToPath(new URL('clock-holder.ts', import.meta.url));

let own: TestDatabase;
let database: Database;
let url: string;
before(async () => {
  own = await createTestDatabase();
  ({ database, url } = own);
});
after(() => own.drop());

let realClock: FixedClock;
/** Every test begins with a clock that runs in real time. */
beforeEach(async () => {
  realClock = new FixedClock(REAL_MS);
  const { mover } = await openClockFixture(database, realClock);
  await mover.run();
  await mover.set(REAL_MS);
});

const duration = (text: string) => Temporal.Duration.from(text);

test('clock: a new sandbox runs in real time', async () => {
  const fresh = await createTestDatabase();
  const { clock } = await openClockFixture(fresh.database, realClock);
  assert.equal(clock.mode, 'RUNNING');
  assert.equal(clock.nowMs(), REAL_MS);
  realClock.advance(1_234);
  assert.equal(clock.nowMs(), REAL_MS + 1_234);
  await fresh.drop();
});

test('clock: production goes by real time, whatever its database says', async () => {
  await (await openClockFixture(database, realClock)).mover.advance(duration('P1D'));
  const { clock, movable } = await openEnvironmentClock({ database, realClock }, 'production');
  assert.equal(movable, null);
  assert.equal(clock.mode, 'RUNNING');
  assert.equal(clock.nowMs(), REAL_MS);
  assert.equal(await clock.refresh(), true);
});

test('clock: frozen it stands, whatever real time does; then it goes on from there', async () => {
  const { clock, mover } = await openClockFixture(database, realClock);
  realClock.advance(1_001);
  await mover.freeze();
  realClock.advance(77 * MINUTE_MS);
  assert.equal(clock.nowMs(), REAL_MS + 1_001);
  assert.equal(clock.mode, 'FROZEN');
  await mover.run();
  assert.equal(clock.nowMs(), REAL_MS + 1_001);
  realClock.advance(3);
  assert.equal(clock.nowMs(), REAL_MS + 1_004);
  assert.equal(clock.mode, 'RUNNING');
});

test('clock: a hundred times frozen and running again costs no millisecond', async () => {
  const { clock, mover } = await openClockFixture(database, realClock);
  let runMs = 0;
  for (let round = 1; round <= 100; round += 1) {
    realClock.advance(round % 7);
    runMs += round % 7;
    await mover.freeze();
    realClock.advance(round % 11);
    await mover.run();
  }
  assert.equal(clock.nowMs(), REAL_MS + runMs);
});

test('clock: freezing a frozen clock and running a running one change nothing', async () => {
  const { clock, mover } = await openClockFixture(database, realClock);
  realClock.advance(500);
  assert.deepEqual(await mover.run(), { done: [], stoppedBecause: null });
  assert.equal(clock.nowMs(), REAL_MS + 500);
  await mover.freeze();
  realClock.advance(500);
  assert.deepEqual(await mover.freeze(), { done: [], stoppedBecause: null });
  assert.equal(clock.nowMs(), REAL_MS + 500);
});

test('clock: after a restart it is where it was, frozen or running', async () => {
  const before = await openClockFixture(database, realClock);
  await before.mover.advance(duration('P400DT1H'));
  realClock.advance(5_000);
  const running = await openClockFixture(database, realClock);
  assert.equal(running.clock.mode, 'RUNNING');
  assert.equal(running.clock.nowMs(), REAL_MS + 400 * 24 * 60 * MINUTE_MS + 60 * MINUTE_MS + 5_000);
  await running.mover.freeze();
  const frozenMs = running.clock.nowMs();
  realClock.advance(99_999);
  const frozen = await openClockFixture(database, realClock);
  assert.equal(frozen.clock.mode, 'FROZEN');
  assert.equal(frozen.clock.nowMs(), frozenMs);
});

test('clock: another process follows when it looks', async () => {
  const here = await openClockFixture(database, realClock);
  const there = await openClockFixture(database, realClock);
  await here.mover.freeze();
  await here.mover.advance(duration('PT5M'));
  assert.equal(there.clock.nowMs(), REAL_MS, 'it has not looked yet');
  assert.equal(await there.clock.refresh(), true);
  assert.equal(there.clock.nowMs(), REAL_MS + 5 * MINUTE_MS);
  assert.equal(there.clock.mode, 'FROZEN');
  await there.mover.run();
  realClock.advance(10);
  await here.clock.refresh();
  assert.equal(here.clock.nowMs(), REAL_MS + 5 * MINUTE_MS + 10);
});

test('clock: what a process writes is not undone by a look that began before', async () => {
  const { clock, mover } = await openClockFixture(database, realClock);
  const looks: Promise<unknown>[] = [];
  const move = mover.advance(duration('PT1H'));
  for (let turn = 0; turn < 20; turn += 1) looks.push(clock.refresh().then(() => clock.refresh()));
  await move;
  assert.equal(clock.nowMs(), REAL_MS + 60 * MINUTE_MS);
  await Promise.all(looks);
  assert.equal(clock.nowMs(), REAL_MS + 60 * MINUTE_MS);
});

test('clock: a look tells what was done before it, though another began earlier', async () => {
  const here = await openClockFixture(database, realClock);
  /** Three looks, each answered when the test says so. */
  const looks = [0, 1, 2].map(() => ({
    isRead: Promise.withResolvers<void>(),
    mayBeTold: Promise.withResolvers<void>(),
  }));
  const [first, early, late] = looks;
  assert.ok(first && early && late);
  let count = 0;
  const slow = (async (...parts: Parameters<typeof database.sql>) => {
    const look = looks[count];
    count += 1;
    const rows = await database.sql(...parts);
    look?.isRead.resolve();
    await look?.mayBeTold.promise;
    return rows;
  }) as unknown as typeof database.sql;
  first.mayBeTold.resolve();
  const slowly = { database: { ...database, sql: slow }, realClock };
  const { clock } = await openEnvironmentClock(slowly, 'sandbox');
  const before = clock.refresh();
  await early.isRead.promise;
  await here.mover.set(REAL_MS - 60 * MINUTE_MS);
  const after = clock.refresh();
  late.mayBeTold.resolve();
  await after;
  assert.equal(clock.nowMs(), REAL_MS - 60 * MINUTE_MS);
  early.mayBeTold.resolve();
  await before;
  assert.equal(clock.nowMs(), REAL_MS - 60 * MINUTE_MS, 'an older look takes nothing back');
});

test('clock: while one process moves it, background work of all others pauses', async () => {
  const here = await openClockFixture(database, realClock);
  const there = await openClockFixture(database, realClock);
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  here.work.add(REAL_MS + MINUTE_MS, 'long', () => {
    see();
    return mayEnd;
  });
  const move = here.mover.advance(duration('PT5M'));
  await isSeen;
  assert.equal(await there.clock.refresh(), false);
  assert.equal(await here.clock.refresh(), false);
  assert.equal(there.clock.nowMs(), REAL_MS + MINUTE_MS, 'it stands where the work is done');
  await assert.rejects(there.mover.freeze(), { errorClass: 'conflict' });
  end();
  assert.equal((await move).done.length, 1);
  assert.equal(await there.clock.refresh(), true);
  assert.equal(there.clock.nowMs(), REAL_MS + 5 * MINUTE_MS);
});

test('clock set: the next look brings back work far ahead, but not during a move', async () => {
  const here = await openClockFixture(database, realClock);
  const there = await openClockFixture(database, realClock);
  const told: number[] = [];
  const work = Object.assign(there.work, {
    bringBack: async (nowMs: number) => void told.push(nowMs),
  });
  const dueWork = [{ kind: 'entry', isDeadline: true, work }, ...here.dueWork];
  const look = () => bringBack({ clock: there.clock, dueWork });
  here.work.add(REAL_MS + MINUTE_MS, 'looks meanwhile', look);
  await here.mover.set(REAL_MS + MINUTE_MS);
  assert.deepEqual(told, []);
  await here.mover.set(REAL_MS - 60 * MINUTE_MS);
  await look();
  assert.deepEqual(told, [REAL_MS - 60 * MINUTE_MS]);
  realClock.advance(11 * MINUTE_MS);
  await look();
  assert.equal(told.length, 1, 'all that began before the move has ended');
});

for (const mode of ['RUNNING', 'FROZEN'] as const) {
  test(`clock: a mover killed with kill -9 blocks a ${mode} clock for five seconds`, async () => {
    const { clock, mover } = await openClockFixture(database, realClock);
    if (mode === 'FROZEN') await mover.freeze();
    const stoodMs = REAL_MS + 3 * MINUTE_MS;
    const holder = fork(HOLDER, [url, String(REAL_MS), String(stoodMs)]);
    const [word] = await once(holder, 'message');
    assert.equal(word, 'held');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    realClock.advance(4_999);
    assert.equal(await clock.refresh(), false);
    assert.equal(clock.nowMs(), stoodMs);
    await assert.rejects(
      mover
        .next(everywhere)
        .then(() => mover.run())
        .then(() => mover.freeze()),
      {
        errorClass: 'conflict',
        message: 'The clock is already being moved: try again when that is done.',
      },
    );
    realClock.advance(1);
    assert.equal(await clock.refresh(), true);
    assert.equal(clock.mode, mode);
    assert.equal(clock.nowMs(), mode === 'FROZEN' ? stoodMs : stoodMs + 5_000);
    await mover.set(REAL_MS);
    assert.equal(clock.nowMs(), REAL_MS);
  });
}
