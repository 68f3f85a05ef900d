import fc from 'fast-check';
import { type RunPlan, runPlans } from './commands.ts';
import { type ModelFixture, openModelFixture } from './fixture.ts';
import { playRun } from './life.ts';

/** How many runs, from which seed; a path names one run of it, as a report does. */
export interface RoundOptions {
  readonly runs: number;
  readonly seed: number;
  readonly path?: string;
}

/** A run that fails is made smaller for so long at most; the smallest so far is told then. */
const SHRINK_LIMIT_MS = 120_000;

/** What a round of runs came to. */
export interface RoundResult {
  readonly runs: number;
  /** The smallest run that was found to fail, told for people; null when none did. */
  readonly failure: string | null;
}

/** Plays as many runs as asked on one database, and gives the smallest that failed. */
export async function playRound(options: RoundOptions): Promise<RoundResult> {
  const { runs, seed, path } = options;
  let fixture: ModelFixture = await openModelFixture();
  let failedAtMs: number | null = null;
  const play = async (plan: RunPlan) => {
    // From then on nothing smaller is found, which ends the search.
    if (failedAtMs !== null && performance.now() - failedAtMs > SHRINK_LIMIT_MS) return;
    const { violations, trace } = await playRun(fixture, plan);
    if (violations.length === 0) return;
    failedAtMs ??= performance.now();
    // What a failed run left due would disturb those after it.
    await fixture.close();
    fixture = await openModelFixture();
    throw new Error([...violations, ...trace].join('\n'));
  };
  try {
    const details = await fc.check(fc.asyncProperty(runPlans, play), {
      ...{ numRuns: runs, seed },
      ...(path !== undefined && { path }),
    });
    if (!details.failed) return { runs: details.numRuns, failure: null };
    const [plan] = details.counterexample ?? [];
    const failure = [
      `seed ${details.seed}, path ${details.counterexamplePath}`,
      JSON.stringify(plan, null, 1),
      String((details.errorInstance as Error | null)?.message),
    ].join('\n');
    return { runs: details.numRuns, failure };
  } finally {
    await fixture.close();
  }
}
