/**
 * Changes, publishes, revokes and disconnects at several servers on one database while readers
 * check every answer against the order of events: no stale answer of the same process, none older
 * than a second of another, none mixed (architecture rule 6, AUTH-9, CFG-9). Servers are paused, killed
 * and cut off on the way: `npm run staleness -- --reads 200000 --seconds 600 --seed 7 --processes
 * 3`; `--faults none` for a quiet run. What another process has changed may be seen at one resource
 * before it is seen at another, within the second; `--strict` allows that neither. With `--replica`,
 * all servers read from a streaming replica, which lags, hangs and dies, too. Exit code 1 on any
 * violation.
 */
import { readOrEnd } from '../../bench/src/command-line.ts';
import { useRunFolder } from '../run-folder.ts';
import { readStalenessOptions } from './staleness/options.ts';
import { reportLines } from './staleness/report.ts';
import { playStaleness } from './staleness/run.ts';
import { buildStage } from './staleness/stage.ts';

const FAULT_PAUSES_MS = [2_000, 5_000] as const;

// Whatever was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const options = readOrEnd(() => readStalenessOptions(process.argv.slice(2)));
const { reads, seconds, seed, processes, faults, isStrict, hasReplica } = options;
const startedAtMs = performance.now();
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${String(seconds).padStart(4)} s  ${line}`);
};
const beside = hasReplica ? ', a replica' : '';
tell(`${reads} reads, ${seconds} s at most, seed ${seed}, ${processes} processes${beside}`);
// What is on the disk matters to no answer.
const removeRunFolder = useRunFolder();
process.once('exit', removeRunFolder);
const stage = await buildStage(processes, { hasReplica });
try {
  const report = await playStaleness(
    stage,
    {
      reads,
      leastReads: 0,
      durationMs: seconds * 1_000,
      readers: 8,
      seed,
      faults,
      faultPausesMs: FAULT_PAUSES_MS,
      endsAtViolations: Infinity,
      isStrict,
    },
    tell,
  );
  for (const line of reportLines(report)) console.log(line);
  const count = report.tally.violationCount;
  if (count > 0) for (const line of stage.failures()) console.log(line);
  tell(count === 0 ? 'nothing stale, nothing late, nothing mixed' : `${count} violations`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await stage.close();
}
process.exit();
