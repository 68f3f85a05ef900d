import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import fc from 'fast-check';
import type { Database } from '../../src/database/database.ts';
import { joinProcesses } from '../../src/database/processes.ts';
import { databaseBudgets, deletePassedBudgets } from '../../src/http/pipeline/budget-store.ts';
import { type Ask, type Budgets, MemoryBudgets } from '../../src/http/pipeline/budgets.ts';
import { LeasedCounter } from '../../src/http/pipeline/leased-counter.ts';
import { takeRequest } from '../../src/http/pipeline/rate-limit.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const START_MS = 1_800_000_000_000;
let own: TestDatabase;
let database: Database;
let budgets: Budgets;
before(async () => {
  own = await createTestDatabase();
  ({ database } = own);
  budgets = databaseBudgets(database.sql);
});
after(() => own.drop());

test('rate limit API-7: of 64 requests at four processes at once the budget passes', async () => {
  const limits = { perSecond: 20, perQuarterHour: 200 };
  const counters = Array.from({ length: 4 }, () => new LeasedCounter(budgets));
  const take = (at: number, atMs: number) =>
    takeRequest(
      counters[at % 4] as LeasedCounter,
      limits,
      {
        ...{ key: 'burst', by: 'CLIENT_AND_RESTAURANT' },
      },
      START_MS + atMs,
    );
  const burst = async (atMs: number) => {
    const verdicts = await Promise.all(Array.from({ length: 64 }, (_one, at) => take(at, atMs)));
    return verdicts.filter(({ allowed }) => allowed).length;
  };
  for (let second = 0; second < 5; second += 1) {
    const passed = await burst(second * 1000);
    assert.ok(passed >= 15 && passed <= 20, `${passed}`);
  }
  // Refused ones are not charged to the quarter of an hour.
  let sum = 0;
  for (let second = 5; second < 20; second += 1) sum += await burst(second * 1000);
  assert.ok(sum > 60 && sum <= 125, `${sum}`);
});

test('rate limit API-7: the statement grants what the memory of one process would', async () => {
  const asks = fc.array(
    fc.record({
      laterBy: fc.oneof(fc.constant(0), fc.integer({ min: -2, max: 12 }), fc.nat(1_000)),
      share: fc.constantFrom(0, 1, 3),
      block: fc.integer({ min: 1, max: 12 }),
      returned: fc.oneof(fc.constant(0), fc.nat(30)),
    }),
    { minLength: 1, maxLength: 40 },
  );
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(asks, async (all) => {
      runs += 1;
      const memory = new MemoryBudgets();
      let second = START_MS / 1000;
      for (const { laterBy, ...wanted } of all) {
        second += laterBy;
        const limits = { perSecond: 20, perQuarterHour: 90 };
        const ask: Ask = { key: `model ${runs}`, second, ...limits, ...wanted };
        assert.deepEqual(await budgets.ask(ask), memory.ask(ask));
      }
    }),
    { numRuns: 10 },
  );
});

test('rate limit API-7: budgets of windows that have passed are removed', async () => {
  const rows = () => database.sql`select from rate_budget where key = 'old'`;
  const limits = { perSecond: 20, perQuarterHour: 50 };
  const second = START_MS / 1000;
  await budgets.ask({ key: 'old', second, ...limits, share: 1, block: 1, returned: 0 });
  await deletePassedBudgets(database.sql, START_MS + 900_000);
  assert.equal((await rows()).length, 1, 'a clock that is behind may still ask');
  await deletePassedBudgets(database.sql, START_MS + 2 * 900_000 + 1_000);
  assert.equal((await rows()).length, 0);
});

const fail = (error: unknown) => assert.fail(String(error));

test('processes: each learns of the other, and a silent one counts as gone', async () => {
  const clock = new FixedClock(START_MS);
  const joining = { database, realClock: clock, groupId: null, onError: fail };
  const first = await joinProcesses(joining);
  assert.equal(first.hasOthers(), false);
  const second = await joinProcesses(joining);
  assert.equal(second.hasOthers(), true);
  await second.stop();
  await first.stop();
  await database.sql`
    insert into server_process (process_id, group_id, started_at, seen_at)
    values (${newGuid()}, ${newGuid()}, ${new Date(START_MS)}, ${new Date(START_MS)})`;
  const beside = await joinProcesses(joining);
  assert.equal(beside.hasOthers(), true);
  await beside.stop();
  clock.advance(6_000);
  const later = await joinProcesses(joining);
  assert.equal(later.hasOthers(), false);
  await later.stop();
});

test('processes: workers of one process are no others to each other, as those of two', async () => {
  const realClock = new FixedClock(START_MS);
  const [groupId, otherId] = [newGuid(), newGuid()];
  const joining = { database, realClock, onError: fail };
  const first = await joinProcesses({ ...joining, groupId });
  const second = await joinProcesses({ ...joining, groupId });
  assert.equal(second.hasOthers(), false);
  const stranger = await joinProcesses({ ...joining, groupId: otherId });
  assert.equal(stranger.hasOthers(), true);
  const third = await joinProcesses({ ...joining, groupId });
  assert.equal(third.hasOthers(), true);
  for (const one of [first, second, stranger, third]) await one.stop();
});
