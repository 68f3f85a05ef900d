import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { findClock } from '../../src/sandbox/clock-store.ts';
import { clockMover } from '../../src/sandbox/move-clock.ts';
import { type DeadlineWork, everywhere } from '../../src/support/due-work.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { type ClockFixture, openClockFixture } from './clock-fixture.ts';
import { InMemoryWork } from './in-memory-work.ts';

const REAL_MS = Date.UTC(2026, 2, 1, 12, 0, 0);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let own: TestDatabase;
let database: Database;
before(async () => {
  own = await createTestDatabase();
  ({ database } = own);
});
after(() => own.drop());

let realClock: FixedClock;
let fixture: ClockFixture;
/** Every test begins with a clock that stands at REAL_MS. */
beforeEach(async () => {
  realClock = new FixedClock(REAL_MS);
  fixture = await openClockFixture(database, realClock);
  await fixture.mover.set(REAL_MS);
  await fixture.mover.freeze();
});

const advance = (text: string) => fixture.mover.advance(Temporal.Duration.from(text));
const kinds = (done: readonly { readonly kind: string }[]) => done.map(({ kind }) => kind);
const minutes = (count: number) => REAL_MS + count * MINUTE_MS;

test('clock move: due work runs in the order of its time, each at its own instant', async () => {
  const { work, clock } = fixture;
  work.add(minutes(3), 'third');
  work.add(minutes(1), 'first');
  work.add(minutes(2), 'second');
  work.add(minutes(5), 'at the target');
  work.add(minutes(5) + 1, 'after the target');
  const { done, stoppedBecause } = await advance('PT5M');
  assert.equal(stoppedBecause, null);
  assert.deepEqual(
    done.map(({ dueMs, kind }) => [dueMs, kind]),
    [
      [minutes(1), 'first'],
      [minutes(2), 'second'],
      [minutes(3), 'third'],
      [minutes(5), 'at the target'],
    ],
  );
  assert.deepEqual(
    work.seen.map(({ stoodAtMs }) => stoodAtMs),
    [minutes(1), minutes(2), minutes(3), minutes(5)],
  );
  assert.ok(work.seen.every(({ isSequential }) => isSequential));
  assert.equal(clock.nowMs(), minutes(5));
  assert.equal(clock.mode, 'FROZEN');
});

test('clock move: work of several sources runs in one order', async () => {
  const { work, clock } = fixture;
  const other = new InMemoryWork(clock);
  const dueWork = [...fixture.dueWork, { kind: 'other', isDeadline: true, work: other }];
  const onError = (error: unknown) => assert.fail(String(error));
  const mover = clockMover({ database, realClock, clock, dueWork, onError });
  for (const minute of [1, 3, 5]) work.add(minutes(minute), `work ${minute}`);
  for (const minute of [2, 4]) other.add(minutes(minute), `other ${minute}`);
  const overdue = ['late work', 'late other'];
  other.add(minutes(-1), 'late other');
  work.add(minutes(-2), 'late work');
  const { done } = await mover.set(minutes(6));
  const inOrder = ['work 1', 'other 2', 'work 3', 'other 4', 'work 5'];
  assert.deepEqual(kinds(done), [...overdue, ...inOrder]);
});

test('clock move: work that is caused on the way is done too, if it is due by then', async () => {
  const { work } = fixture;
  work.add(minutes(1), 'cause', () => {
    work.add(minutes(1), 'at once');
    work.add(minutes(2), 'soon', () => work.add(minutes(5), 'at the target'));
    work.add(minutes(6), 'too late');
  });
  assert.deepEqual(kinds((await advance('PT5M')).done), [
    'cause',
    'at once',
    'soon',
    'at the target',
  ]);
  assert.equal(await work.nextDueMs(), minutes(6));
});

test('clock move: what is overdue is done where the clock stands', async () => {
  const { work, clock } = fixture;
  work.add(minutes(-30), 'overdue');
  const { done } = await advance('PT1M');
  assert.equal(done[0]?.dueMs, minutes(-30));
  assert.deepEqual(work.seen[0]?.stoodAtMs, REAL_MS);
  assert.equal(clock.nowMs(), minutes(1));
});

test('clock move: a running clock does not run during the move, and goes on after it', async () => {
  const { work, clock, mover } = fixture;
  await mover.run();
  work.add(minutes(1), 'slow', () => realClock.advance(2_000));
  await advance('PT5M');
  assert.equal(clock.mode, 'RUNNING');
  assert.equal(clock.nowMs(), minutes(5));
  realClock.advance(7);
  assert.equal(clock.nowMs(), minutes(5) + 7);
});

test('clock freeze, run: what is due by now is done', async () => {
  const { work, mover } = fixture;
  work.add(REAL_MS, 'due');
  assert.deepEqual(kinds((await mover.run()).done), ['due']);
  work.add(REAL_MS, 'due again');
  assert.deepEqual(kinds((await mover.freeze()).done), ['due again']);
});

test('clock next: it goes to the next deadline and does what is due there', async () => {
  const { work, clock, mover } = fixture;
  work.add(minutes(9), 'first');
  work.add(minutes(9), 'beside it');
  work.add(minutes(10), 'later');
  assert.deepEqual(kinds((await mover.next(everywhere)).done), ['first', 'beside it']);
  assert.equal(clock.nowMs(), minutes(9));
  assert.deepEqual(kinds((await mover.next(everywhere)).done), ['later']);
  assert.equal(clock.nowMs(), minutes(10));
});

test('clock next: housekeeping is no deadline, but is done on the way to one', async () => {
  const { work, clock } = fixture;
  const otherWork = new InMemoryWork(clock);
  const dueWork = [...fixture.dueWork, { kind: 'chore', isDeadline: false, work: otherWork }];
  const onError = (error: unknown) => assert.fail(String(error));
  const mover = clockMover({ database, realClock, clock, dueWork, onError });
  otherWork.add(minutes(3), 'chore');
  assert.deepEqual((await mover.next(everywhere)).done, []);
  work.add(minutes(9), 'deadline');
  assert.deepEqual(kinds((await mover.next(everywhere)).done), ['chore', 'deadline']);
});

test('clock next: it goes by the deadlines within reach; others’ are done on the way', async () => {
  const { work, clock, mover } = fixture;
  const nothing = () => {};
  work.add(minutes(3), 'others’ before', nothing, 'others');
  work.add(minutes(9), 'own', nothing, 'own');
  work.add(minutes(12), 'others’ after', nothing, 'others');
  const own = { ...everywhere, isPlatform: false, groupGuids: ['another of ours', 'own'] };
  assert.deepEqual(kinds((await mover.next(own)).done), ['others’ before', 'own']);
  assert.equal(clock.nowMs(), minutes(9));
  assert.deepEqual(await mover.next(own), { done: [], stoppedBecause: null });
  assert.equal(clock.nowMs(), minutes(9), 'nothing of ours waits');
});

test('clock next: what is overdue is next, and does not take the clock back', async () => {
  const { work, clock, mover } = fixture;
  work.add(minutes(-1), 'overdue');
  assert.deepEqual(kinds((await mover.next(everywhere)).done), ['overdue']);
  assert.equal(clock.nowMs(), REAL_MS);
});

test('clock next: what was overdue and is done meanwhile is not what is meant', async () => {
  const { work, clock } = fixture;
  work.add(minutes(-1), 'overdue');
  work.add(minutes(9), 'deadline');
  let looks = 0;
  const observed: DeadlineWork = {
    runDue: (nowMs, options) => work.runDue(nowMs, options),
    nextDueMs: async () => {
      const dueMs = await work.nextDueMs();
      looks += 1;
      // The platform sweeps by itself between two looks.
      if (looks === 1) await work.runDue(clock.nowMs(), { isSequential: false });
      return dueMs;
    },
  };
  const dueWork = [{ kind: 'payment', isDeadline: true, work: observed }];
  const onError = (error: unknown) => assert.fail(String(error));
  const mover = clockMover({ database, realClock, clock, dueWork, onError });
  assert.deepEqual(kinds((await mover.next(everywhere)).done), ['deadline']);
  assert.equal(clock.nowMs(), minutes(9));
});

test('clock next: when nothing waits, nothing is done and the clock is not touched', async () => {
  const { clock, mover } = fixture;
  await mover.run();
  realClock.advance(123);
  assert.deepEqual(await mover.next(everywhere), { done: [], stoppedBecause: null });
  assert.equal(clock.nowMs(), REAL_MS + 123);
  assert.equal(clock.mode, 'RUNNING');
});

test('clock set: it may go back, which undoes nothing and does nothing', async () => {
  const { work, clock, mover } = fixture;
  work.add(minutes(10), 'done before');
  await mover.set(minutes(15));
  work.add(minutes(20), 'later');
  work.add(minutes(-200), 'overdue');
  assert.deepEqual((await mover.set(minutes(-100))).done, []);
  assert.equal(clock.nowMs(), minutes(-100));
  assert.equal(await work.nextDueMs(), minutes(-200));
  assert.deepEqual(kinds((await mover.set(minutes(20))).done), ['overdue', 'later']);
});

test('clock advance: months and years are those of the calendar in UTC', async () => {
  const { clock, mover } = fixture;
  await mover.set(Date.UTC(2028, 0, 31, 8));
  await advance('P1M');
  assert.equal(clock.nowMs(), Date.UTC(2028, 1, 29, 8));
  await advance('P1Y');
  assert.equal(clock.nowMs(), Date.UTC(2029, 1, 28, 8));
  await advance('P1W1DT1H1M1.001S');
  assert.equal(clock.nowMs(), Date.UTC(2029, 2, 8, 9, 1, 1, 1));
});

test('clock 422: an instant out of range is refused with what is allowed', async () => {
  const { clock, mover } = fixture;
  const refused = {
    errorClass: 'unprocessable',
    message:
      'The clock cannot go there: it can show any time from 2000-01-01T00:00:00.000Z ' +
      'to 8999-12-31T23:59:59.999Z.',
  };
  const [firstMs, lastMs] = [Date.UTC(2000, 0, 1), Date.UTC(9000, 0, 1) - 1];
  await assert.rejects(mover.set(firstMs - 1), refused);
  await assert.rejects(mover.set(lastMs + 1), refused);
  await assert.rejects(advance('P9000Y'), refused);
  await assert.rejects(advance('P300000Y'), refused);
  assert.equal(clock.nowMs(), REAL_MS);
  assert.equal(await clock.refresh(), true, 'nobody holds it');
  for (const instantMs of [lastMs, firstMs]) {
    await mover.set(instantMs);
    await clock.refresh();
    assert.equal(clock.nowMs(), instantMs, 'the database gives back what it was given');
  }
});

test('clock 409: of 16 movers at once over two processes, each that moves counts', async () => {
  const there = await openClockFixture(database, realClock);
  const moves = Array.from({ length: 16 }, (_, index) =>
    (index % 2 === 0 ? fixture : there).mover.advance(Temporal.Duration.from('PT1M')),
  );
  const answers = await Promise.allSettled(moves);
  const refused = answers.filter((answer) => answer.status === 'rejected');
  for (const { reason } of refused) assert.equal(reason.errorClass, 'conflict');
  const moved = answers.length - refused.length;
  assert.ok(moved >= 1);
  await fixture.clock.refresh();
  assert.equal(fixture.clock.nowMs(), minutes(moved));
});

test('clock move: work that always causes new work is stopped, and it is told', async () => {
  const { work, clock } = fixture;
  // Each instant is stored, so a hundred pieces share one.
  let count = 0;
  const again = (dueMs: number): void =>
    work.add(dueMs, 'again', () => {
      count += 1;
      again(count % 100 === 0 ? dueMs + 1 : dueMs);
    });
  again(REAL_MS + 1);
  const { done, stoppedBecause } = await advance('P1D');
  assert.equal(done.length, 10_000);
  assert.match(stoppedBecause ?? '', /^10000 pieces of work were done and more is due: /);
  assert.equal(clock.nowMs(), REAL_MS + 100);
  assert.equal(await clock.refresh(), true);
});

test('clock move: one that takes four minutes is stopped between two pieces of work', async () => {
  const { work, clock } = fixture;
  for (let minute = 1; minute <= 60; minute += 1) {
    work.add(minutes(minute), 'slow', () => realClock.advance(15_000));
  }
  const { done, stoppedBecause } = await advance('PT1H');
  assert.equal(done.length, 16);
  assert.match(stoppedBecause ?? '', /^the move took 240 seconds and more is due: /);
  assert.equal(clock.nowMs(), minutes(16));
  assert.equal(clock.mode, 'FROZEN');
});

test('clock move: a server that stops ends the move between two pieces of work', async () => {
  const { work, clock, dueWork } = fixture;
  const stop = new AbortController();
  const onError = (error: unknown) => assert.fail(String(error));
  const parts = { database, realClock, clock, dueWork, onError, stopping: stop.signal };
  work.add(minutes(1), 'under way', () => stop.abort());
  work.add(minutes(2), 'not begun');
  const { done, stoppedBecause } = await clockMover(parts).set(minutes(5));
  assert.deepEqual(kinds(done), ['under way']);
  assert.match(stoppedBecause ?? '', /^the server is stopping and more is due: /);
  assert.equal(clock.nowMs(), minutes(1));
  assert.equal(await clock.refresh(), true, 'it is free again');
});

test('clock move: when work fails, the clock stays where it got to and is free again', async () => {
  const { work, clock, mover } = fixture;
  work.add(minutes(1), 'sound');
  work.add(minutes(2), 'broken', () => Promise.reject(new Error('broken work')));
  await assert.rejects(advance('PT5M'), /broken work/);
  assert.equal(await clock.refresh(), true);
  assert.equal(clock.nowMs(), minutes(2));
  assert.equal(clock.mode, 'FROZEN');
  await mover.set(minutes(5));
  assert.equal(clock.nowMs(), minutes(5));
});

test('clock move: work that takes longer than the lease keeps the clock all the same', async () => {
  const { work, clock } = fixture;
  const there = await openClockFixture(database, realClock);
  work.add(minutes(1), 'long', async () => {
    const expiryMs = async () => (await findClock(database.sql)).moverExpiresAt?.getTime();
    // Before real time goes on: what is renewed right after it is renewed to the same instant.
    const beforeMs = await expiryMs();
    realClock.advance(4_999);
    const limitMs = performance.now() + 180_000;
    while ((await expiryMs()) === beforeMs) {
      assert.ok(performance.now() < limitMs, 'the lease was never renewed');
    }
    realClock.advance(1);
    assert.equal(await there.clock.refresh(), false);
    assert.equal(there.clock.nowMs(), minutes(1));
  });
  assert.deepEqual(kinds((await advance('PT5M')).done), ['long']);
  assert.equal(clock.nowMs(), minutes(5));
});

test('clock move: a mover that was given up for dead writes nothing anymore', async () => {
  const { work, mover } = fixture;
  const laterReal = new FixedClock(REAL_MS + HOUR_MS);
  const successor = await openClockFixture(database, laterReal);
  work.add(minutes(1), 'long', async () => {
    await successor.mover.set(minutes(30));
  });
  work.add(minutes(2), 'never done');
  await assert.rejects(advance('PT5M'), { errorClass: 'conflict' });
  assert.deepEqual(kinds(work.seen), ['long']);
  await fixture.clock.refresh();
  assert.equal(fixture.clock.nowMs(), minutes(30));
  await mover.set(REAL_MS);
});

test('clock move: a database that goes away during a move frees the clock by itself', async () => {
  const { clock } = fixture;
  let isAway = false;
  const sql = ((strings: TemplateStringsArray, ...values: unknown[]) => {
    if (isAway) return Promise.reject(new Error('the database is away'));
    return (database.sql as unknown as (...parts: unknown[]) => Promise<unknown>)(
      strings,
      ...values,
    );
  }) as unknown as Database['sql'];
  const work = new InMemoryWork(clock);
  work.add(minutes(1), 'cut off', () => {
    isAway = true;
  });
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const dueWork = [{ kind: 'entry', isDeadline: true, work: work }];
  const away = { ...database, sql };
  const mover = clockMover({ database: away, realClock, clock, dueWork, onError });
  await assert.rejects(mover.set(minutes(5)), /the database is away/);
  assert.equal(failures.length, 1);
  assert.equal(await clock.refresh(), false);
  realClock.advance(5_000);
  assert.equal(await clock.refresh(), true);
  assert.equal(clock.nowMs(), minutes(1));
});
