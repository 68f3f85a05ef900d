import fc from 'fast-check';
import { cases } from './cases.ts';
import { difference } from './compare.ts';
import type { Feature } from './features.ts';

/** How many orders, from which seed; a path names one of them, as a report does. */
export interface RoundOptions {
  readonly runs: number;
  readonly seed: number;
  readonly path?: string;
}

export type Counts = Partial<Record<Feature, number>>;

export interface RoundResult {
  readonly runs: number;
  /** The smallest order that was found on which both differ, told for people. */
  readonly failure: string | null;
  /** How many orders used each feature. */
  readonly counts: Counts;
}

/** A failed order is made smaller for so long at most. */
const SHRINK_LIMIT_MS = 20_000;

/** Prices orders with the module and with the model. */
export function priceRound({ runs, seed, path }: RoundOptions): RoundResult {
  const counts: Counts = {};
  const count = (feature: Feature) => {
    counts[feature] = (counts[feature] ?? 0) + 1;
  };
  let failedAtMs: number | null = null;
  const details = fc.check(
    fc.property(cases, (one) => {
      // From then on nothing smaller is found, which ends the search.
      if (failedAtMs !== null && performance.now() - failedAtMs > SHRINK_LIMIT_MS) return;
      const problem = difference(one, count);
      if (problem === null) return;
      failedAtMs ??= performance.now();
      throw new Error(problem);
    }),
    { numRuns: runs, seed, ...(path !== undefined && { path }) },
  );
  if (!details.failed) return { runs: details.numRuns, failure: null, counts };
  const [smallest] = details.counterexample ?? [];
  const failure = [
    `seed ${details.seed}, path ${details.counterexamplePath}`,
    JSON.stringify(smallest, null, 1),
    String((details.errorInstance as Error | null)?.message),
  ].join('\n');
  return { runs: details.numRuns, failure, counts };
}
