/**
 * Measures how long sandboxes take to create, restore and drop, beside a bare copy of a database, and
 * how long reads take while their sandbox is copied: `npm run sandbox-times -- --runs 200`.
 */
import { sleep } from '@servery/support/timer.ts';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { percentile } from '../../bench/src/statistics.ts';
import { spawnPlatform } from '../../packages/server/test/payments/hunt/spawned-platform.ts';
import { createSandbox, Place } from '../../packages/server/test/sandboxes/place.ts';
import { createBareCopy, dropBareCopy, findTemplateOf } from './sandboxes/server-store.ts';

const line = {
  command: 'npm run sandbox-times',
  about:
    'Creates, copies, restores and drops sandboxes, and prints how long each takes beside a bare ' +
    'CREATE DATABASE with a template, and how long small reads take while their sandbox is copied.',
  words: null,
  flags: {
    runs: wholeNumber('how often each is done', 200, 1),
    'gap-ms': wholeNumber('the pause between two of them, in milliseconds', 500),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const { runs, 'gap-ms': gapMs } = values;
const READ_EVERY_MS = 5;
const READS_BESIDE_MS = 300;

const platform = await spawnPlatform([
  ...['--profile', 'demo', '--kind', 'sandbox', '--sandboxes', '10'],
  ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'],
]);
const main = new Place(platform.url, platform.demo);
const { sql } = platform.database;
const times = { bare: [], profile: [], live: [], restore: [], drop: [] } as Record<
  string,
  number[]
>;
const reads = { beside: [], during: [] } as Record<string, number[]>;

try {
  const parent = await createSandbox(main, { name: 'parent', from: { profile: 'demo' } });
  await parent.pay();
  const kept = { params: { name: 'parent' }, json: { name: 'kept' } };
  await done(main.as('operator', 'backOffice.sandboxes.snapshots.create', kept));
  const template = await findTemplateOf(sql, 'demo');
  await sleep(gapMs);
  for (let run = 1; run <= runs; run += 1) {
    await time('bare', () => createBareCopy(sql, `bare_${run}`, template));
    await dropBareCopy(sql, `bare_${run}`);
    await sleep(gapMs);
    const made = `made-${run}`;
    await time('profile', () => createSandbox(main, { name: made, from: { profile: 'demo' } }));
    await sleep(gapMs);
    const copy = `copy-${run}`;
    await readMeanwhile(parent, () =>
      time('live', () => createSandbox(main, { name: copy, from: { sandbox: 'parent' } })),
    );
    await sleep(gapMs);
    const back = { params: { name: 'parent' }, json: { snapshot: 'kept' } };
    await time('restore', () => done(main.as('operator', 'backOffice.sandboxes.restore', back)));
    for (const name of [made, copy]) {
      await sleep(gapMs);
      const sent = { params: { name } };
      await time('drop', () => done(main.as('operator', 'backOffice.sandboxes.drop', sent)));
    }
    await sleep(gapMs);
    if (run % 10 === 0) console.error(`${run} of ${runs}`);
  }
  report();
} finally {
  await platform.end();
  await platform.remove();
}

async function time(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  times[what]?.push(performance.now() - startedMs);
}

async function done(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

/** Reads begin at their times, no matter how long earlier ones take: before `work`, and during it. */
async function readMeanwhile(place: Place, work: () => Promise<void>): Promise<void> {
  const { restaurant } = place;
  const read = () => done(place.as('partner', 'configuration.diningOptions.list', { restaurant }));
  // A restore has ended the token; opening the sandbox is not measured.
  await read();
  let into = reads.beside;
  let isReading = true;
  const under: Promise<void>[] = [];
  const failures: unknown[] = [];
  const readTimed = async (given: number[] | undefined) => {
    const startedMs = performance.now();
    await read();
    given?.push(performance.now() - startedMs);
  };
  const readOn = async () => {
    while (isReading) {
      under.push(readTimed(into).catch((error) => void failures.push(error)));
      await sleep(READ_EVERY_MS);
    }
  };
  const reading = readOn();
  try {
    await sleep(READS_BESIDE_MS);
    into = reads.during;
    await work();
  } finally {
    isReading = false;
    await reading;
    await Promise.all(under);
  }
  if (failures.length > 0) throw failures[0];
}

function report(): void {
  console.log(
    `${runs} runs, interleaved, ${gapMs} ms between any two: sandboxes of a profile are made ahead ` +
      'in the pause',
  );
  const bareMs = row('bare CREATE DATABASE … TEMPLATE', times.bare);
  row('create from profile', times.profile, bareMs, { share: 0.5, mostMs: 50 });
  row('create as a copy of a live one', times.live, bareMs, { share: 0.5, mostMs: 200 });
  row('restore', times.restore, bareMs);
  row('drop', times.drop, bareMs);
  console.log(`small reads of the parent, one every ${READ_EVERY_MS} ms`);
  row('while nothing is copied', reads.beside);
  row('while it is copied', reads.during, null, { share: 0.99, mostMs: 250 });
}

interface Goal {
  readonly share: number;
  readonly mostMs: number;
}

/** Prints a line; gives the median. */
function row(
  what: string,
  given: readonly number[] | undefined,
  bareMs: number | null = null,
  goal: Goal | null = null,
): number {
  const sorted = Float64Array.from(given ?? []).sort();
  const at = (share: number) => percentile(sorted, share);
  const told = [
    `${what.padEnd(34)}p50 ${ms(at(0.5))}  p99 ${ms(at(0.99))}  of ${sorted.length}`,
    ...(bareMs === null ? [] : [`${(at(0.5) / bareMs).toFixed(1)} times bare`]),
  ];
  if (goal) {
    const { share, mostMs } = goal;
    const isMet = at(share) <= mostMs;
    told.push(`goal p${share * 100} ≤ ${mostMs} ms ${isMet ? 'met' : 'MISSED'}`);
  }
  console.log(told.join(', '));
  return at(0.5);
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(8)} ms`;
}
