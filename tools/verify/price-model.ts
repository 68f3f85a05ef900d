import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments, readOrEnd, text, wholeNumber } from '../../bench/src/command-line.ts';
import { features } from '../../packages/pricing/test/model/features.ts';
import {
  type Counts,
  priceRound,
  type RoundResult,
} from '../../packages/pricing/test/model/rounds.ts';

/**
 * Prices random orders with the module and with an independent model, in some processes at once:
 * `npm run price-model -- --runs 1000000 --seed 7`. An order on which they differ is priced again
 * by what its report says: `npm run price-model -- --seed 12 --path 31:0:2`.
 */

const ROUND_RUNS = 1_000;
const PROCESSES = 2;
/** Beyond this many runs, a feature that no order used is a failure itself. */
const ALL_FEATURES_RUNS = 50_000;
const PROGRESS_RUNS = 50_000;

const line = {
  command: 'npm run price-model',
  about:
    'Prices random orders on random menus and compares every amount with an independent model. ' +
    'Exit code 1 when they differ.',
  words: null,
  flags: {
    runs: wholeNumber('orders that are priced', 1_000_000, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null, -Infinity),
    path: text('PATH', 'with its seed: prices the one order that a report names', null),
    process: wholeNumber(null, null),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const { runs } = values;
const seed = values.seed ?? Math.floor(Math.random() * 0x7fffffff);

if (values.path !== null) replay(values.path);
else if (values.process !== null) await playShare(values.process);
else await playAll();

function replay(path: string): void {
  const { failure } = priceRound({ runs: 1, seed, path });
  console.log(failure ?? 'it does not fail');
  process.exitCode = failure === null ? 0 : 1;
}

/** Plays every second round, and tells the parent of each. */
async function playShare(share: number): Promise<void> {
  // Without this it would go on for nobody when its parent is ended.
  const onAlone = () => process.exit(1);
  process.once('disconnect', onAlone);
  for (let round = share; round * ROUND_RUNS < runs; round += PROCESSES) {
    const left = Math.min(ROUND_RUNS, runs - round * ROUND_RUNS);
    const result = priceRound({ runs: left, seed: seedOf(round) });
    await new Promise((resolve) => process.send?.(result, resolve));
  }
  process.off('disconnect', onAlone);
  process.disconnect?.();
}

/** Rounds of neighboring seeds must not share runs, so they are far from each other. */
function seedOf(round: number): number {
  return (seed + round * 0x9e37_79b1) | 0;
}

async function playAll(): Promise<void> {
  console.log(`${runs} runs of seed ${seed}, in ${PROCESSES} processes`);
  const startedAtMs = performance.now();
  const total = { runs: 0, failures: 0, counts: {} as Counts };
  const hear = ({ runs: done, failure, counts }: RoundResult) => {
    const before = total.runs;
    total.runs += done;
    for (const feature of features) {
      total.counts[feature] = (total.counts[feature] ?? 0) + (counts[feature] ?? 0);
    }
    if (failure !== null) {
      total.failures += 1;
      console.log(`\nFAILED: ${failure}\n`);
    }
    if (Math.floor(before / PROGRESS_RUNS) < Math.floor(total.runs / PROGRESS_RUNS)) {
      console.log(`${total.runs} runs, ${total.failures} failed`);
    }
  };
  const codes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, share) => startShare(share, hear)),
  );
  const seconds = (performance.now() - startedAtMs) / 1000;
  for (const feature of features) console.log(`${feature}: ${total.counts[feature] ?? 0}`);
  const perSecond = (total.runs / seconds).toFixed(0);
  console.log(
    `${total.runs} runs of seed ${seed} in ${seconds.toFixed(0)} s (${perSecond}/s), ` +
      `${total.failures} failed`,
  );
  const isSound = total.failures === 0 && codes.every((code) => code === 0);
  process.exitCode = isSound && total.runs === runs && isWhole(total) ? 0 : 1;
}

function startShare(share: number, hear: (result: RoundResult) => void): Promise<number | null> {
  const args = ['--runs', String(runs), '--seed', String(seed), '--process', String(share)];
  const child = fork(fileURLToPath(import.meta.url), args);
  child.on('message', (result) => hear(result as RoundResult));
  return new Promise((resolve) => child.once('exit', resolve));
}

/** Whether every feature was used, which many runs must have seen. */
function isWhole(total: { readonly runs: number; readonly counts: Counts }): boolean {
  if (total.runs < ALL_FEATURES_RUNS) return true;
  const missing = features.filter((feature) => !total.counts[feature]);
  for (const feature of missing) console.log(`never happened: ${feature}`);
  return missing.length === 0;
}
