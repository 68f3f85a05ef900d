/**
 * Tries the platform on Citus: `npm run verify:citus -- --programs /usr/lib/postgresql/15/bin` makes
 * a coordinator and two workers of its own for each part, on loopback, with these programs.
 * `--url` names the coordinator of an existing cluster. There, only `servery conform`, the
 * acceptance tests, and the reads of the back office run. Exit code 1 on any violation.
 * docs/guides/run-on-citus.md says how to build such programs.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  faultOf,
  oneOf,
  positiveNumber,
  readArguments,
  readOrEnd,
  text,
  wholeNumber,
} from '../../bench/src/command-line.ts';
import { type CitusCluster, citusCluster, givenCluster } from './citus/cluster.ts';
import { listPlaces, updatePlace } from './citus/cluster-store.ts';
import { tryDoctor } from './citus/doctor.ts';
import { type HalfwayResult, isSettledRight, leaveHalfway } from './citus/halfway.ts';
import {
  type Absence,
  absenceLines,
  isAbsenceRight,
  judgeAbsence,
  loseWorker,
} from './citus/lost-worker.ts';
import { onNode } from './citus/node.ts';
import { tryReads } from './citus/reads.ts';
import { tellStatements } from './citus/statements.ts';
import { trySweepers } from './citus/sweepers.ts';
import { conformTo } from './conform-faults/find-fault.ts';
import { reportLines } from './crash/report.ts';
import {
  killsOfAnything,
  paidRestaurants,
  playRun,
  type RunReport,
  type Trouble,
} from './crash/run.ts';
import { playOnStage, type Stage } from './crash/stage.ts';

const MINUTE_MS = 60_000;
const RING = fileURLToPath(new URL('../../acceptance/src/run.ts', import.meta.url));

type OwnPart = (stage: Stage<CitusCluster>) => Promise<number>;

/** Each gives the number of violations. These may run one after the other, on any cluster. */
const gentleParts: Readonly<Record<string, (stage: Stage) => Promise<number>>> = {
  contract: playContract,
  acceptance: playAcceptance,
  // Its moves of the clock would spoil the others.
  reads: (stage) => tryReads(stage, tell),
};
/** These kill nodes, read their logs, or count all payments. */
const ownParts: Readonly<Record<string, OwnPart>> = {
  sweepers: (stage) => trySweepers(stage, tell),
  statements: (stage) => tellStatements(stage, tell),
  doctor: (stage) => tryDoctor(stage, tell),
  halfway: playHalfway,
  'lost-worker': playLostWorker,
  crash: playCrash,
};
const allParts: Readonly<Record<string, OwnPart>> = { ...gentleParts, ...ownParts };

const line = {
  command: 'npm run verify:citus',
  about:
    'Tests the platform on Citus: with --programs, on clusters that it makes for each part; with ' +
    '--url, on yours. These parts need --programs: ' +
    `${Object.keys(ownParts).join(', ')}.`,
  words: null,
  flags: {
    programs: text('FOLDER', 'a folder with the programs of a PostgreSQL that has Citus', null),
    url: text('URL', 'an empty database of a coordinator that has workers', null),
    only: oneOf('only this part', Object.keys(allParts)),
    minutes: positiveNumber('how many minutes the part crash lasts', 2),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
  },
};

// Whatever was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
// Each of the nodes listens for it.
process.setMaxListeners(0);

const options = readOrEnd(() => {
  const { values } = readArguments(line, process.argv.slice(2));
  const { programs, url, only } = values;
  if ((programs === null) === (url === null)) throw faultOf(line, 'Give --programs or --url.');
  if (programs !== null && !existsSync(join(programs, 'initdb'))) {
    throw faultOf(
      line,
      `The folder ${programs} has no initdb: give the one with PostgreSQL's programs.`,
    );
  }
  if (url !== null && only !== null && only in ownParts) {
    throw faultOf(line, `The part ${only} needs a cluster of its own: give --programs.`);
  }
  return values;
});
const seed = options.seed ?? randomInt(2 ** 32);
const startedAtMs = performance.now();
const results: string[] = [];
let isRight = true;
tell(`seed ${seed}`);
if (options.url !== null) await playGiven(options.url);
if (options.programs !== null) await playOwn(options.programs);
for (const result of results) tell(result);
process.exit(isRight ? 0 : 1);

function tell(told: string): void {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${String(seconds).padStart(4)} s  ${told}`);
}

function isWanted(part: string): boolean {
  return options.only === null || options.only === part;
}

async function playGiven(url: string): Promise<void> {
  const others = Object.keys(ownParts).join(', ');
  tell(`not tried, because they need clusters of their own: ${others}`);
  // The database is empty only once.
  await playOnStage(
    () => givenCluster(url),
    async (stage) => {
      let violations = 0;
      for (const [part, play] of Object.entries(gentleParts)) {
        if (isWanted(part)) violations += await note(part, () => play(stage));
      }
      return violations;
    },
    tell,
  );
}

async function playOwn(programs: string): Promise<void> {
  const open = (folder: string) => citusCluster(folder, programs);
  for (const [part, play] of Object.entries(allParts)) {
    if (isWanted(part)) await note(part, () => playOnStage(open, play, tell));
  }
}

async function note(part: string, play: () => Promise<number>): Promise<number> {
  tell(`--- ${part}`);
  const violations = await play();
  results.push(`${part}: ${violations === 0 ? 'passed' : `${violations} violations`}`);
  if (violations > 0) isRight = false;
  return violations;
}

async function playContract({ serverUrls: [url = ''], demoFile }: Stage): Promise<number> {
  const { checks } = await conformTo(demoFile, url, ['--level', 'full']);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  tell(`servery conform: ${checks.length} checks, ${failed.length} failed`);
  for (const { title } of failed) tell(`  ${title}`);
  return failed.length + (checks.length === 0 ? 1 : 0);
}

async function playAcceptance({ serverUrls: [url = ''], demoFile }: Stage): Promise<number> {
  const args = [RING, '--url', url, '--demo', demoFile];
  const ring = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(ring, 'exit');
  return code === 0 ? 0 : 1;
}

async function playHalfway(stage: Stage<CitusCluster>): Promise<number> {
  const found: HalfwayResult[] = [];
  const report = await playClients(stage, leaveHalfway(stage.postgres, found, tell));
  const wrong = found.filter((result) => !isSettledRight(result)).length;
  const left = found.reduce((sum, one) => sum + one.left, 0);
  tell(
    `${left} transactions left halfway by ${found.length} kills; ${wrong} kills with a wrong end`,
  );
  return report.violations.length + wrong;
}

async function playLostWorker(stage: Stage<CitusCluster>): Promise<number> {
  const [lost = '', ...others] = paidRestaurants(stage.demo);
  const [worker, otherWorker] = stage.postgres.workers;
  if (!worker || !otherWorker) throw new Error('there are fewer than two workers');
  const places = await onNode(stage.postgres, async ({ sql }) => {
    // By chance, all may be on one worker.
    await updatePlace(sql, lost, worker.port);
    for (const other of others) await updatePlace(sql, other, otherWorker.port, lost);
    return await listPlaces(sql, [lost, ...others]);
  });
  const absences: Absence[] = [];
  const report = await playClients(stage, loseWorker(worker, absences));
  let wrong = 0;
  for (const absence of absences) {
    const isLost = (guid: string) => places.get(guid) === worker.port;
    const judged = judgeAbsence(report.operations, absence, isLost);
    for (const told of absenceLines(judged)) tell(told);
    if (!isAbsenceRight(judged)) wrong += 1;
  }
  return report.violations.length + wrong;
}

async function playCrash(stage: Stage): Promise<number> {
  const trouble = killsOfAnything({ durationMs: options.minutes * MINUTE_MS, kills: null });
  return (await playClients(stage, trouble, true)).violations.length;
}

async function playClients(stage: Stage, trouble: Trouble, isWild = false): Promise<RunReport> {
  const run = { seed, trouble, isWild, clients: 2, guests: 4, endsLeases: false };
  const report = await playRun(stage, run, tell);
  for (const told of reportLines(report)) console.log(told);
  return report;
}
