export type Verdict = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  /** What was found, in a sentence without a full stop. */
  readonly found: string;
  /** The next command to type, or what else to do; null where nothing is to be done. */
  readonly fix: string | null;
}

export function fine(check: string, found: string): Finding {
  return { check, verdict: 'ok', found, fix: null };
}

/** It works, and somebody should look at it. */
export function worth(check: string, found: string, fix: string): Finding {
  return { check, verdict: 'warn', found, fix };
}

/** The server does not start with it, or something is broken. */
export function broken(check: string, found: string, fix: string): Finding {
  return { check, verdict: 'fail', found, fix };
}
