/** The middle of some rounds, with the least and the most of them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The middle of the values, of an even number of them the mean of the two; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The median of the values with the least and the most of them. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** The value that `share` (0 to 1) of the sorted values do not exceed; NaN of none. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/**
 * The ratios of two sides, round by round: each value beside the one that was measured right
 * before or after it, so that what the machine did meanwhile hits both. Throws when a side has
 * more rounds.
 */
export function ratiosOf(values: readonly number[], others: readonly number[]): Spread {
  if (values.length !== others.length) throw new Error('the sides have different rounds');
  return spreadOf(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}
