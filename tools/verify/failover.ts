/**
 * Makes a cluster of three PostgreSQL servers under Patroni, with etcd and haproxy, on this machine;
 * hangs and kills its primary while clients pay, and counts what was acknowledged, lost, and duplicated:
 * `npm run verify:failover`. One server reaches the database through haproxy, the other one by a URL
 * with all hosts. Exit code 1 on any violation; then the files of the run are kept.
 */
import { randomInt } from 'node:crypto';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { reportLines } from './crash/report.ts';
import { playRun, type Trouble } from './crash/run.ts';
import { playOnStage, type Stage } from './crash/stage.ts';
import { makePatroniCluster, type PatroniCluster } from './failover/patroni-cluster.ts';
import { findPrograms, type Programs } from './failover/programs.ts';
import { failoverLines } from './failover/report.ts';
import { type Strike, type StrikeKind, strikePrimaries } from './failover/strike.ts';

const CLIENTS = 3;
const GUESTS = 12;

const line = {
  command: 'npm run verify:failover',
  about:
    'Hangs and kills the primary of a Patroni cluster while clients pay, and counts what was ' +
    'acknowledged, lost, and duplicated. Exit code 1 on any violation. Needs Linux, and in the path ' +
    'patroni, etcd and haproxy.',
  words: null,
  flags: {
    hangs: wholeNumber('how often the primary hangs', 5),
    kills: wholeNumber('how often the primary is killed', 5),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
  },
};

// Everything that was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
// Each of the programs listens for it.
process.setMaxListeners(0);

const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const seed = values.seed ?? randomInt(2 ** 32);
const startedAtMs = performance.now();
const tell = (text: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${String(seconds).padStart(4)} s  ${text}`);
};
const programs = findOrEnd();
/** By turns, as far as there are both. */
const kinds = Array.from({ length: Math.max(values.hangs, values.kills) }, (_, turn) => {
  const both: StrikeKind[] = [];
  if (turn < values.hangs) both.push('hang');
  if (turn < values.kills) both.push('kill');
  return both;
}).flat();
tell(`${values.hangs} hangs, ${values.kills} kills, seed ${seed}`);
const violations = await playOnStage((folder) => makePatroniCluster(folder, programs), play, tell);
tell(violations === 0 ? 'nothing lost, nothing doubled' : `${violations} violations`);
process.exit(violations === 0 ? 0 : 1);

function findOrEnd(): Programs {
  try {
    return findPrograms();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** Gives the number of violations. */
async function play(stage: Stage<PatroniCluster>): Promise<number> {
  const strikes: Strike[] = [];
  const trouble: Trouble = async (_stage, lots) => {
    strikes.push(...(await strikePrimaries(stage.postgres, kinds, lots, tell)));
    return new Map([
      ['hangs', values.hangs],
      ['kills', values.kills],
    ]);
  };
  const run = {
    seed,
    trouble,
    isWild: false,
    clients: CLIENTS,
    guests: GUESTS,
    endsLeases: false,
  };
  const report = await playRun(stage, run, tell);
  const lines = [...reportLines(report), ...failoverLines(report, strikes, stage.serverUrls)];
  for (const text of lines) console.log(text);
  return report.violations.length;
}
