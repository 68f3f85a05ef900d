import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments, readOrEnd, text, wholeNumber } from '../../bench/src/command-line.ts';
import {
  startTestServer,
  TEST_SERVER_VARIABLE,
} from '../../packages/postgres/test/global-setup.ts';
import { type Counts, countsSoFar } from '../../packages/server/test/payment-model/counts.ts';
import { legalMoves } from '../../packages/server/test/payment-model/model.ts';
import { staffMoves } from '../../packages/server/test/payment-model/order-model.ts';
import { playRound } from '../../packages/server/test/payment-model/rounds.ts';

/**
 * Plays lives of payments against the model, in some processes at once: `npm run model -- --runs
 * 100000 --seed 7`. One that failed is played again by what its report says: `npm run model --
 * --seed 12 --path 31:0:2`.
 */

const ROUND_RUNS = 500;
const PROCESSES = 2;
/** Databases that a process works on at once, so that it has work while one of them answers. */
const LANES = 3;
/** Beyond this many runs, a move of the table that never happened is a failure itself. */
const WHOLE_TABLE_RUNS = 20_000;
const PROGRESS_RUNS = 5_000;

/** What a process tells when a round is over. */
type Told =
  | { readonly runs: number; readonly failure: string | null }
  | { readonly counts: Counts };

const line = {
  command: 'npm run model',
  about:
    'Plays lives of payments against an independent model, with faults at every call. Exit code ' +
    '1 when they disagree.',
  words: null,
  flags: {
    runs: wholeNumber('lives that are played', 100_000, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null, -Infinity),
    path: text('PATH', 'with its seed: plays the one life that a report tells of', null),
    process: wholeNumber(null, null),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const { runs } = values;
const seed = values.seed ?? Math.floor(Math.random() * 0x7fffffff);

if (values.path !== null) await replay(values.path);
else if (values.process !== null) await playShare(values.process);
else await playAll();

async function replay(path: string): Promise<void> {
  const { failure } = await playRound({ runs: 1, seed, path });
  console.log(failure ?? 'it does not fail');
  process.exitCode = failure === null ? 0 : 1;
}

/** Plays every so manieth round, in lanes, and tells the parent of each. */
async function playShare(share: number): Promise<void> {
  const tell = (told: Told) => process.send?.(told);
  // Without this it would go on for nobody when its parent is ended.
  const onAlone = () => process.exit(1);
  process.once('disconnect', onAlone);
  let round = share;
  const playLane = async () => {
    for (;;) {
      const mine = round;
      round += PROCESSES;
      const left = Math.min(ROUND_RUNS, runs - mine * ROUND_RUNS);
      if (left <= 0) return;
      tell(await playRound({ runs: left, seed: seedOf(mine) }));
    }
  };
  await Promise.all(Array.from({ length: LANES }, playLane));
  tell({ counts: countsSoFar() });
  process.off('disconnect', onAlone);
  process.disconnect?.();
}

/** Rounds of neighbouring seeds must not share runs, so that they are far from each other. */
function seedOf(round: number): number {
  return (seed + round * 0x9e37_79b1) | 0;
}

async function playAll(): Promise<void> {
  console.log(`${runs} runs of seed ${seed}, in ${PROCESSES} processes`);
  const startedAtMs = performance.now();
  const server = process.env[TEST_SERVER_VARIABLE] ? null : await startTestServer();
  if (server) process.env[TEST_SERVER_VARIABLE] = server.url;
  const total = { runs: 0, failures: 0, counts: {} as Counts };
  const hear = (told: Told) => {
    if ('counts' in told) addCounts(total.counts, told.counts);
    else {
      const before = total.runs;
      total.runs += told.runs;
      if (told.failure !== null) {
        total.failures += 1;
        console.log(`\nFAILED: ${told.failure}\n`);
      }
      if (Math.floor(before / PROGRESS_RUNS) < Math.floor(total.runs / PROGRESS_RUNS)) {
        console.log(`${total.runs} runs, ${total.failures} failed`);
      }
    }
  };
  const codes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, share) => startShare(share, hear)),
  );
  await server?.stop();
  report(total, (performance.now() - startedAtMs) / 1000);
  const isSound = total.failures === 0 && codes.every((code) => code === 0) && isWhole(total);
  process.exitCode = isSound && total.runs === runs ? 0 : 1;
}

function startShare(share: number, hear: (told: Told) => void): Promise<number | null> {
  const args = ['--runs', String(runs), '--seed', String(seed), '--process', String(share)];
  const child = fork(fileURLToPath(import.meta.url), args);
  child.on('message', (told) => hear(told as Told));
  return new Promise((resolve) => child.once('exit', resolve));
}

function addCounts(total: Counts, more: Counts): void {
  for (const [group, counts] of Object.entries(more)) {
    const known = total[group] ?? {};
    for (const [name, count] of Object.entries(counts)) known[name] = (known[name] ?? 0) + count;
    total[group] = known;
  }
}

function report(total: { runs: number; failures: number; counts: Counts }, seconds: number): void {
  for (const [group, counts] of Object.entries(total.counts)) {
    const names = Object.keys(counts).sort();
    console.log(`${group}: ${names.map((name) => `${name} ${counts[name]}`).join(', ')}`);
  }
  const perSecond = (total.runs / seconds).toFixed(0);
  console.log(
    `${total.runs} runs of seed ${seed} in ${seconds.toFixed(0)} s (${perSecond}/s), ` +
      `${total.failures} failed`,
  );
}

/** Whether every legal move and every decision of staff happened, as many runs must have seen. */
function isWhole(total: { readonly runs: number; readonly counts: Counts }): boolean {
  if (total.runs < WHOLE_TABLE_RUNS) return true;
  const { causes = {}, answers = {} } = total.counts;
  const decisions = staffMoves.map((move) => `staff ${move} 200`);
  const missing = [
    ...[...legalMoves].filter((move) => !causes[move]),
    ...decisions.filter((decision) => !answers[decision]),
  ];
  for (const move of missing) console.log(`never happened: ${move}`);
  return missing.length === 0;
}
