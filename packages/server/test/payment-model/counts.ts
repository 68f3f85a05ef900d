/** How often something was met, by group and name. */
export type Counts = Record<string, Record<string, number>>;

const counts: Counts = {};

/** Counts one of a group, over all runs of this process, so that it shows when one is never met. */
export function count(group: 'causes' | 'answers' | 'faults', name: string): void {
  counts[group] ??= {};
  counts[group][name] = (counts[group][name] ?? 0) + 1;
}

/** Everything that was counted. */
export function countsSoFar(): Counts {
  return counts;
}
