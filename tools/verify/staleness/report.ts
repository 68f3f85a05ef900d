import type { StalenessReport } from './run.ts';

const SHOWN = 30;

/** The lines that say what a run came to. */
export function reportLines(report: StalenessReport): string[] {
  const { tally, seconds, states, latenessMs, replicaReads } = report;
  const late = latenessMs.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(late[Math.floor((late.length - 1) * share)] ?? 0);
  const counts = [...tally.counts].toSorted(([one], [other]) => one.localeCompare(other));
  return [
    ...counts.map(([name, count]) => `${String(count).padStart(8)}  ${name}`),
    `reads       ${tally.reads} in ${seconds.toFixed(1)} s: ` +
      `${Math.round(tally.reads / seconds)} a second`,
    `states      ${states}`,
    ...(replicaReads === null
      ? []
      : [`replica     answered ${replicaReads} reads since each server was last started`]),
    `unseen      ${late.length} changes were not seen at once by another process: ` +
      `at most ${at(1)} ms, p99 ${at(0.99)} ms, half of them ${at(0.5)} ms`,
    ...tally.violations
      .slice(0, SHOWN)
      .map(({ kind, operation, text }) => `  ${kind}: ${operation}: ${text}`),
    `violations  ${tally.violationCount}`,
  ];
}
