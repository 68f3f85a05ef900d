import {
  faultOf,
  positiveNumber,
  readArguments,
  text,
  toggle,
  wholeNumber,
} from './command-line.ts';
import type { Effort } from './scenario.ts';

/** What a run of the bench is asked to do. */
export interface BenchOptions {
  readonly task: 'list' | 'profile' | 'measure';
  /** Names of scenarios; empty for all of them. */
  readonly scenarios: readonly string[];
  /** What the name of a line has to hold; empty for every line. */
  readonly only: string;
  readonly effort: Effort;
  readonly runs: number;
  readonly writesDocs: boolean;
  /** Where filled platforms are kept for later runs; null if they are removed. */
  readonly filledIn: string | null;
}

const SMOKE: Effort = { rounds: 1, secondsPerRound: 0.1, isSmoke: true };

const line = {
  command: 'npm run bench',
  about:
    'Measures the product beside ceilings and peers, in turns, and prints what came of each ' +
    'comparison. Without a scenario all of them are run. What is measured: docs/explanation/performance.md.',
  words: 'scenario',
  flags: {
    list: toggle('names the scenarios'),
    smoke: toggle('one short round each: only that it runs, and that answers are right'),
    only: text('TEXT', 'of each scenario only the lines with the text in their name', ''),
    runs: wholeNumber('all of it so many times, with a table of all runs in the end', 1, 1),
    rounds: wholeNumber('counted rounds of each contender', 5, 1),
    seconds: positiveNumber('seconds of each round', 1),
    filled: text(
      'DIR',
      'keeps filled platforms in this folder, and reuses those of earlier runs',
      null,
    ),
    'write-docs': toggle('writes the table into docs/explanation/performance.md'),
    profile: toggle('instead of comparing: where the product’s time goes'),
  },
};

/** What has no meaning beside a flag, so that nobody waits for it in vain. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  smoke: ['runs', 'rounds', 'seconds', 'filled', 'write-docs', 'profile'],
  profile: ['runs', 'rounds', 'write-docs'],
};

/** Reads the command line; throws NotStarted with the help, or with what is wrong with it. */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values, words, given } = readArguments(line, args);
  for (const [name, others] of Object.entries(WITHOUT)) {
    const other = given.has(name) ? others.find((one) => given.has(one)) : undefined;
    if (other !== undefined) {
      throw faultOf(line, `--${other} does nothing beside --${name}: leave one of them out.`);
    }
  }
  const { smoke, only, runs, rounds, seconds } = values;
  const tasks = [values.list && 'list', values.profile && 'profile'] as const;
  return {
    task: tasks.find((task) => task !== false) ?? 'measure',
    scenarios: words,
    only,
    effort: smoke ? SMOKE : { rounds, secondsPerRound: seconds, isSmoke: false },
    runs,
    writesDocs: values['write-docs'],
    filledIn: values.filled,
  };
}
