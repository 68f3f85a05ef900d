import { counted } from '../shown.ts';

export type Outcome = 'passed' | 'failed' | 'notChecked' | 'expected';

/** One thing that was checked. `expected`: it failed, as is known. */
export interface Judged {
  readonly title: string;
  readonly outcome: Outcome;
  /** Why it failed or was not checked. */
  readonly message: string | null;
  /** IDs of the requests that prove it. */
  readonly requestIds?: readonly string[];
  readonly durationMs: number;
}

export interface Report {
  /** `Conformance` or `Certification`. */
  readonly name: string;
  /** What was judged: an address, or a command. */
  readonly subject: string;
  readonly checks: readonly Judged[];
}

/** How many checks ended how. */
export function summaryOf(checks: readonly Judged[]): string {
  const count = (outcome: Outcome) => checks.filter((each) => each.outcome === outcome).length;
  const parts = (['passed', 'failed', 'expected', 'notChecked'] as const)
    .filter((outcome) => outcome !== 'expected' || count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${NAMES[outcome]}`);
  return `${counted(checks.length, 'check')}: ${parts.join(', ')}`;
}

const NAMES: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  notChecked: 'not checked',
  expected: 'failed as expected',
};
