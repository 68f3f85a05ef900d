import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '@servery/support/runner.ts';
import fc from 'fast-check';
import { type Ask, MemoryBudgets } from './budgets.ts';
import { LeasedCounter } from './leased-counter.ts';
import { type RateVerdict, takeRequest } from './rate-limit.ts';

// 900,000 ms divides this instant, so that all windows begin here.
const START_MS = 1_800_000_000_000;
const K = { key: 'k', by: 'CLIENT_AND_RESTAURANT' } as const;
const PROCESSES = 4;

/** Processes whose questions are answered when the test says so. */
function openFleet(limits: { readonly perSecond: number; readonly perQuarterHour: number }) {
  const shared = new MemoryBudgets();
  const waiting: (() => void)[] = [];
  let asked = 0;
  const ask = (one: Ask) => {
    asked += 1;
    // What was asked counts at once, and what was granted is known later.
    const grant = shared.ask(one);
    return new Promise<typeof grant>((resolve) => waiting.push(() => resolve(grant)));
  };
  const counters = Array.from({ length: PROCESSES }, () => new LeasedCounter({ ask }));
  const answer = async () => {
    while (waiting.length > 0) {
      for (const resolve of waiting.splice(0)) resolve();
      await nextTurn();
    }
  };
  const take = async (process: number, atMs: number): Promise<RateVerdict> =>
    takeRequest(counters[process] as LeasedCounter, limits, K, START_MS + atMs);
  const takeAll = async (process: number, count: number, atMs: number) => {
    const verdicts = Array.from({ length: count }, () => take(process, atMs));
    await answer();
    return Promise.all(verdicts);
  };
  return { take, takeAll, answer, asked: () => asked };
}

const allowedOf = (verdicts: readonly RateVerdict[]) =>
  verdicts.filter(({ allowed }) => allowed).length;

const steps = fc.array(
  fc.record({
    process: fc.nat(PROCESSES - 1),
    count: fc.integer({ min: 1, max: 12 }),
    laterMs: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(12_000)),
  }),
  { maxLength: 30 },
);

test('rate limit API-7: no second and no quarter hour of four processes exceeds the budget', async () => {
  const limits = { perSecond: 20, perQuarterHour: 300 };
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const fleet = openFleet(limits);
      const seconds = new Map<number, number>();
      let atMs = 0;
      let sum = 0;
      for (const { process, count, laterMs } of all) {
        atMs += laterMs;
        const verdicts = await fleet.takeAll(process, count, atMs);
        const second = Math.floor(atMs / 1000);
        seconds.set(second, (seconds.get(second) ?? 0) + allowedOf(verdicts));
        sum += allowedOf(verdicts);
      }
      for (const passed of seconds.values()) assert.ok(passed <= limits.perSecond);
      assert.ok(atMs >= 900_000 || sum <= limits.perQuarterHour);
    }),
    { numRuns: 20 },
  );
});

test('rate limit API-7: answers that come late, and clocks that differ, grant nothing twice', async () => {
  const limits = { perSecond: 20, perQuarterHour: 200 };
  const late = fc.record({ answers: fc.array(fc.boolean(), { minLength: 30 }), all: steps });
  const skews = fc.tuple(...Array.from({ length: PROCESSES }, () => fc.nat(1_500)));
  await fc.assert(
    fc.asyncProperty(late, skews, async ({ answers, all }, skew) => {
      const fleet = openFleet(limits);
      const verdicts: Promise<RateVerdict>[] = [];
      const seconds = new Set<number>();
      let atMs = 0;
      for (const [at, { process, count, laterMs }] of all.entries()) {
        atMs = Math.min(atMs + laterMs, 890_000);
        const ownMs = atMs + (skew[process] ?? 0);
        seconds.add(Math.floor(ownMs / 1000));
        for (let i = 0; i < count; i += 1) verdicts.push(fleet.take(process, ownMs));
        if (answers[at]) await fleet.answer();
      }
      await fleet.answer();
      const passed = allowedOf(await Promise.all(verdicts));
      assert.ok(passed <= limits.perSecond * seconds.size, `${passed} in ${seconds.size} seconds`);
      assert.ok(passed <= limits.perQuarterHour);
    }),
    { numRuns: 20 },
  );
});

test('rate limit API-7: a request that waits into the next second is told of that one', async () => {
  const fleet = openFleet({ perSecond: 20, perQuarterHour: 10_000 });
  await fleet.takeAll(0, 20, 0);
  const both = [fleet.take(1, 999), fleet.take(1, 1_000)];
  await fleet.answer();
  const told = await Promise.all(both);
  assert.deepEqual(
    told.map(({ allowed, resetSeconds }) => [allowed, resetSeconds - START_MS / 1000]),
    [
      [true, 2],
      [true, 2],
    ],
  );
});

test('rate limit API-7: one process gets the budget but for what others hold of it', async () => {
  const fleet = openFleet({ perSecond: 20, perQuarterHour: 10_000 });
  assert.equal(allowedOf(await fleet.takeAll(0, 40, 0)), 20, 'nobody else holds anything');
  for (let second = 1; second < 30; second += 1) {
    for (let process = 1; process < PROCESSES; process += 1) {
      assert.equal(allowedOf(await fleet.takeAll(process, 1, second * 1000)), 1);
    }
    const verdicts = await fleet.takeAll(0, 40, second * 1000 + 500);
    assert.equal(allowedOf(verdicts), 17, 'each of the three has used what it held');
  }
  for (let second = 31; second < 40; second += 1) {
    const passed = allowedOf(await fleet.takeAll(0, 40, second * 1000));
    assert.ok(passed >= 15, `${passed}: others hold a quarter at most`);
  }
});

test('rate limit API-7: what was leased and not used comes back to the quarter hour', async () => {
  const fleet = openFleet({ perSecond: 20, perQuarterHour: 100 });
  let passed = 0;
  for (let second = 0; second < 400; second += 10) {
    passed += allowedOf(await fleet.takeAll((second / 10) % PROCESSES, 4, second * 1000));
  }
  assert.ok(passed > 60 && passed <= 100, `${passed} of 100`);
  const [refused] = await fleet.takeAll(0, 1, 500_000);
  assert.equal(refused?.resetSeconds, (START_MS + 900_000) / 1000, 'it is the quarter hour');
  assert.equal(allowedOf(await fleet.takeAll(0, 1, 900_000)), 1);
});

test('rate limit API-7: who asks once a second costs a question in ten seconds', async () => {
  const fleet = openFleet({ perSecond: 20, perQuarterHour: 10_000 });
  for (let second = 0; second < 100; second += 1) {
    for (let process = 0; process < PROCESSES; process += 1) {
      await fleet.takeAll(process, 1, second * 1000);
    }
  }
  assert.equal(fleet.asked(), PROCESSES * 10);
});

test('rate limit API-7: a flood that is refused costs no questions', async () => {
  const fleet = openFleet({ perSecond: 20, perQuarterHour: 10_000 });
  await fleet.takeAll(0, 50, 0);
  const before = fleet.asked();
  const verdicts = await fleet.takeAll(0, 1_000, 500);
  assert.equal(allowedOf(verdicts), 0);
  assert.equal(fleet.asked(), before);
});
