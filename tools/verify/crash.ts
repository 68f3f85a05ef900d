/**
 * Kills servers, PostgreSQL and the processor with `kill -9` at random while clients pay, and then
 * checks that nothing was lost, doubled or forgotten: `npm run crash -- --minutes 12`. With
 * `--kills 300` it ends after so many, `--seed` repeats the draws of another run, and `--defect`
 * plants a defect in the servers, to show that it would be noticed. Exit code 1 on any violation;
 * then the files of the run are kept.
 */
import { readOrEnd } from '../../bench/src/command-line.ts';
import { crashCluster } from './crash/cluster.ts';
import { readOptions } from './crash/options.ts';
import { reportLines } from './crash/report.ts';
import { killsOfAnything, playRun } from './crash/run.ts';
import { playOnStage, type Stage } from './crash/stage.ts';
import { environmentWith } from './defects/environment.ts';
import { faultOf } from './defects/fault.ts';

const MINUTE_MS = 60_000;
const CLIENTS = 3;
const GUESTS = 6;

// Whatever was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { minutes, kills, seed, defect } = readOrEnd(() => readOptions(process.argv.slice(2)));
const startedAtMs = performance.now();
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${String(seconds).padStart(4)} s  ${line}`);
};
const limit = kills === null ? '' : `, at most ${kills} kills`;
tell(`${minutes} minutes${limit}, seed ${seed}${defect ? `, defect ${defect.name}` : ''}`);
if (defect) {
  const fault = faultOf(defect);
  if (fault !== null) {
    console.error(fault);
    process.exit(1);
  }
  Object.assign(process.env, environmentWith(defect.name));
}
const violations = await playOnStage(crashCluster, play, tell);
tell(violations === 0 ? 'nothing lost, nothing doubled' : `${violations} violations`);
process.exit(violations === 0 ? 0 : 1);

/** Gives the number of violations. */
async function play(stage: Stage): Promise<number> {
  const trouble = killsOfAnything({ durationMs: minutes * MINUTE_MS, kills });
  const run = { seed, trouble, isWild: true, clients: CLIENTS, guests: GUESTS, endsLeases: false };
  const report = await playRun(stage, run, tell);
  for (const line of reportLines(report)) console.log(line);
  return report.violations.length;
}
