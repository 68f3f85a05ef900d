import type { TestResult } from './reporter.ts';

/** What a run says of a named test: `not run` is neither a catch nor a survival. */
export interface Verdict {
  readonly outcome: 'passed' | 'failed' | 'not run';
  /** What the test complained of, or why it did not run; null when it passed. */
  readonly complaint: string | null;
}

/** How a test ends that never began, because what sets it up failed. */
const NOT_BEGUN = ['hookFailed', 'cancelledByParent'];

/**
 * Judges the tests whose titles match: they failed when one of them did by its own code or took too
 * long. A file that does not load, or whose set-up fails, has run no test.
 */
export function judge(results: readonly TestResult[], title: RegExp): Verdict {
  const named = results.filter((result) => title.test(result.title));
  const failure = results.find(({ passed }) => !passed);
  if (named.length === 0) {
    return { outcome: 'not run', complaint: failure?.complaint ?? 'no test has this title' };
  }
  const own = named.find(({ passed }) => !passed);
  if (!own) return { outcome: 'passed', complaint: null };
  const outcome = NOT_BEGUN.includes(own.failureType ?? '') ? 'not run' : 'failed';
  return { outcome, complaint: own.complaint };
}
