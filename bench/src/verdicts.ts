import type { Goal, Line, Unit } from './scenario.ts';
import type { Spread } from './statistics.ts';

/** The lines of one scenario in one run. */
export interface ScenarioLines {
  readonly scenario: string;
  readonly lines: readonly Line[];
}

/** One number of a line, and what it is to be. */
interface Verdict {
  readonly value: Spread;
  readonly goal: Goal | null;
  /** Null for a ratio. */
  readonly unit: Unit | null;
  readonly isP99: boolean;
}

/** One number through all runs. */
export interface VerdictRow {
  readonly scenario: string;
  /** The scenario, its line, and which number of the line. */
  readonly title: string;
  readonly goal: Goal | null;
  readonly unit: Unit | null;
  /** One for each run; null where it came to nothing. */
  readonly values: readonly (Spread | null)[];
  /** The line in each run, in the same order. */
  readonly lines: readonly (Line | null)[];
  readonly isP99: boolean;
}

/** What a goal says of a number. */
export function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The numbers of a line that are judged, the main one first. */
export function verdictsOf(line: Line): Verdict[] {
  const { ratio, product, goal, unit, p99 } = line;
  const main = ratio
    ? { value: ratio, goal, unit: null, isP99: false }
    : { value: product, goal, unit, isP99: false };
  return p99 ? [main, { value: p99.ratio, goal: p99.goal, unit: null, isP99: true }] : [main];
}

/** Whether the goal is met in every run: a run that came to nothing has not met it. */
export function isMetInAll({ goal, values }: VerdictRow): boolean {
  return goal !== null && values.every((value) => value !== null && isMet(goal, value.median));
}

/** The numbers of all runs, in the order in which they were first told. */
export function rowsOf(runs: readonly (readonly ScenarioLines[])[]): VerdictRow[] {
  const byRun = runs.map((results) => new Map(results.flatMap(entriesOf)));
  const titles = new Set(byRun.flatMap((verdicts) => [...verdicts.keys()]));
  return [...titles].flatMap((title) => {
    const found = byRun.map((verdicts) => verdicts.get(title) ?? null);
    const first = found.find((one) => one !== null);
    if (!first) return [];
    const { goal, unit, isP99 } = first.verdict;
    const values = found.map((one) => one?.verdict.value ?? null);
    const lines = found.map((one) => one?.line ?? null);
    return { scenario: first.scenario, title, goal, unit, isP99, values, lines };
  });
}

function entriesOf({ scenario, lines }: ScenarioLines) {
  return lines.flatMap((line) =>
    verdictsOf(line).map((verdict): [string, Entry] => {
      const title = titleOf(scenario, line) + (verdict.isP99 ? ', p99' : '');
      return [title, { scenario, line, verdict }];
    }),
  );
}

interface Entry {
  readonly scenario: string;
  readonly line: Line;
  readonly verdict: Verdict;
}

/** What a line is called in tables. */
export function titleOf(scenario: string, { name }: Pick<Line, 'name'>): string {
  return name === '' ? scenario : `${scenario}: ${name}`;
}
