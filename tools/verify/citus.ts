/**
 * Runs the acceptance ring, and then a crash run, on a Citus of its own: a coordinator and two
 * workers on loopback, made with the PostgreSQL programs of a folder. The crash run kills the nodes,
 * too: `npm run verify:citus -- --programs /usr/lib/postgresql/15/bin`. Exit code 1 on any violation.
 * docs/guides/run-on-citus.md says how to build such programs.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  faultOf,
  positiveNumber,
  readArguments,
  readOrEnd,
  text,
  toggle,
  wholeNumber,
} from '../../bench/src/command-line.ts';
import { citusCluster } from './citus/cluster.ts';
import { reportLines } from './crash/report.ts';
import { killsOfAnything, playRun } from './crash/run.ts';
import { playOnStage, type Stage } from './crash/stage.ts';

const MINUTE_MS = 60_000;
const RING = fileURLToPath(new URL('../../acceptance/src/run.ts', import.meta.url));

const line = {
  command: 'npm run verify:citus',
  about:
    'Runs the acceptance ring and a crash run on a Citus of its own, whose nodes it kills, too.',
  words: null,
  flags: {
    programs: text('FOLDER', 'a folder with the programs of a PostgreSQL that has Citus', null),
    minutes: positiveNumber('how long to kill', 2),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
    crash: toggle('only the crash run'),
  },
};

// Whatever was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const options = readOrEnd(() => {
  const { programs, ...rest } = readArguments(line, process.argv.slice(2)).values;
  if (programs === null) throw faultOf(line, '--programs is needed');
  return { ...rest, programs };
});
const seed = options.seed ?? randomInt(2 ** 32);
const faults = [
  ...(options.crash ? [] : [await onStage((stage) => playRing(stage))]),
  await onStage((stage) => playCrash(stage)),
];
process.exit(faults.every((count) => count === 0) ? 0 : 1);

function onStage(play: (stage: Stage) => Promise<number>): Promise<number> {
  const openCluster = (folder: string) => citusCluster(folder, options.programs);
  return playOnStage(openCluster, play, (told) => console.log(told));
}

async function playRing({ serverUrls: [url = ''], demoFile }: Stage): Promise<number> {
  const args = [RING, '--url', url, '--demo', demoFile];
  const ring = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(ring, 'exit');
  return code === 0 ? 0 : 1;
}

async function playCrash(stage: Stage): Promise<number> {
  const trouble = killsOfAnything({ durationMs: options.minutes * MINUTE_MS, kills: null });
  const run = { seed, trouble, isWild: true, clients: 2, guests: 4, endsLeases: false };
  console.log(`${options.minutes} minutes, seed ${seed}`);
  const report = await playRun(stage, run, (told) => console.log(told));
  for (const told of reportLines(report)) console.log(told);
  return report.violations.length;
}
