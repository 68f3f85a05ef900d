import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Filled, fill, headersOf } from '../filled.ts';
import { type MeasuringProcessor, startMeasuringProcessor } from '../measuring-processor.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { cpuTimeMs, familyCpuTimeMs } from '../processes.ts';
import type { Bench, Contender, Sample, Scenario } from '../scenario.ts';
import { percentile, spreadOf } from '../statistics.ts';

const DUE_PER_SECOND = 100;
/** A round is at least so long: what falls due leaves its traces in tables and indexes. */
const LEAST_SECONDS = 10;
/** So long a round waits for what it has filled in to fall due: filling takes a moment too. */
const DUE_IN_S = { smoke: 3, full: 5 };
const LONGEST_WAIT_MS = 30_000;
const LOOK_MS = 20;
const RESTAURANTS = 1_000;
/** From when on deadlines have to be acted upon. */
const LATEST_MS = 1_000;

/** A platform with so many open payments, and the processor that it calls. */
interface Stage {
  readonly platform: MeasuredPlatform;
  readonly processor: MeasuringProcessor;
  readonly filled: Filled;
  /** The greatest delay of each counted round. */
  readonly latestMs: number[];
}

/**
 * What a deadline costs while a million payments are open, beside a thousand: 100 authorizations a
 * second that nobody applied fall due on the running clock, and each is voided at the processor.
 * The cost is the processor time of Node and of PostgreSQL together, and a delay the time from the
 * deadline to the arrival of the void at the processor, which is one of the bench's own that knows
 * every hold: the simulator knows none of those that were filled in.
 */
export const scenario: Scenario = {
  name: 'deadlines',
  about: '100 deadlines a second with a million open payments, beside a thousand',
  async run(bench) {
    const { isSmoke } = bench.effort;
    const [many, few] = isSmoke ? [100, 100] : [1_000_000, 1_000];
    await using processor = await startMeasuringProcessor();
    await using otherFarEnd = await startMeasuringProcessor();
    await using large = await startStage(bench, processor, many);
    // A smoke run asserts nothing that two platforms would be needed for.
    await using own = isSmoke ? null : await startStage(bench, otherFarEnd, few);
    const small = own ?? large;
    const shown = (count: number) => `${count.toLocaleString('en')} open`;
    await bench.compare({
      name: 'cost of one',
      unit: 'ms',
      product: contender(bench, large, shown(many)),
      others: [contender(bench, small, shown(few))],
      goal: { atMost: 1.2 },
    });
    for (const [count, { latestMs }] of [[many, large] as const, [few, small] as const]) {
      bench.report({
        name: `latest of each round, ${shown(count)}`,
        unit: 'ms',
        product: { name: 'product', ...spreadOf(latestMs) },
        others: [],
        ratio: null,
        goal: { atMost: LATEST_MS },
      });
    }
  },
};

async function startStage(
  bench: Bench,
  processor: MeasuringProcessor,
  open: number,
): Promise<Stage & AsyncDisposable> {
  const restaurants = bench.effort.isSmoke ? 10 : RESTAURANTS;
  const platform = await bench.startFilled(
    { env: { SERVERY_PROCESSOR: 'http', SERVERY_PROCESSOR_URL: processor.url } },
    { restaurants, applied: open },
  );
  const stop = () => platform[Symbol.asyncDispose]();
  return {
    platform,
    processor,
    filled: platform.filled,
    latestMs: [],
    [Symbol.asyncDispose]: stop,
  };
}

function contender({ effort }: Bench, stage: Stage, name: string): Contender {
  let round = effort.isSmoke ? 0 : -1;
  return {
    name,
    process: stage.platform,
    async measure(wanted) {
      const seconds = effort.isSmoke ? 0.5 : Math.max(wanted, LEAST_SECONDS);
      const dueInS = effort.isSmoke ? DUE_IN_S.smoke : DUE_IN_S.full;
      const { latestMs, ...sample } = await letFallDue(stage, seconds, dueInS);
      if (round >= 0) stage.latestMs.push(latestMs);
      round += 1;
      return sample;
    },
  };
}

/** Fills in what falls due within `seconds`, and waits until all of it is voided. */
async function letFallDue(
  { platform, processor, filled }: Stage,
  seconds: number,
  dueInS: number,
): Promise<Sample & { latestMs: number }> {
  const authorized = Math.round(DUE_PER_SECOND * seconds);
  // Before: where the filling is held up, the first of it falls due while it goes on.
  processor.reset();
  const { due } = await fill(platform, {
    restaurants: filled.restaurants.count,
    authorized,
    ...{ 'due-per-second': DUE_PER_SECOND, 'due-in': dueInS, 'leave-statistics': true },
  });
  assert.ok(due);
  const before = await usedMs(platform);
  await until(() => processor.delaysMs().length >= authorized, due.lastMs + LONGEST_WAIT_MS);
  await until(
    async () => (await countPending(platform, filled)) === 0,
    Date.now() + LONGEST_WAIT_MS,
  );
  const used = (await usedMs(platform)) - before;
  const delays = Float64Array.from(processor.delaysMs()).sort();
  assert.equal(delays.length, authorized, 'each is voided once');
  assert.ok((delays[0] ?? 0) >= 0, `a deadline was acted upon ${delays[0]} ms too early`);
  return {
    value: used / authorized,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    latestMs: percentile(delays, 1),
  };
}

/** The processor time of the server and of its whole PostgreSQL. */
async function usedMs({ pid, postmaster }: MeasuredPlatform): Promise<number> {
  return (await cpuTimeMs(pid)) + (await familyCpuTimeMs(postmaster));
}

/** How many payments the processor was asked about, and nobody has written down yet. */
async function countPending(platform: MeasuredPlatform, filled: Filled): Promise<number> {
  const headers = await headersOf(platform, filled.backOffice);
  const path = '/backoffice/v1/payments?state=VOID_PENDING';
  const response = await fetch(platform.url + path, { headers });
  assert.equal(response.status, 200);
  return ((await response.json()) as { results: unknown[] }).results.length;
}

/** Waits until it is so; throws when it is not by then, in epoch ms. */
async function until(isSo: () => boolean | Promise<boolean>, latestMs: number): Promise<void> {
  while (!(await isSo())) {
    if (Date.now() > latestMs) throw new Error('what fell due was not acted upon in time');
    await sleep(LOOK_MS);
  }
}
