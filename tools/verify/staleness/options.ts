import { randomInt } from 'node:crypto';
import {
  type Flag,
  positiveNumber,
  readArguments,
  toggle,
  wholeNumber,
} from '../../../bench/src/command-line.ts';
import type { FaultName } from './faults.ts';

/** What a long run is asked to do. */
export interface StalenessOptions {
  readonly reads: number;
  readonly seconds: number;
  readonly seed: number;
  readonly processes: number;
  /** In the order in which they are played. */
  readonly faults: readonly FaultName[];
  readonly isStrict: boolean;
}

const FAULTS: readonly FaultName[] = ['pause', 'cut', 'sessions', 'pause', 'hang', 'drop', 'kill'];
const FAULT_NAMES = [...new Set(FAULTS)].join();
const SEEDS = 2 ** 32;

const faultList: Flag<readonly FaultName[]> = {
  shown: 'NAMES',
  about: `what goes wrong on the way: none, or some of ${FAULT_NAMES} (all)`,
  fallback: FAULTS,
  read(given) {
    if (given === 'none') return [];
    const names = given.split(',');
    if (names.every((name) => FAULTS.some((fault) => fault === name))) {
      return FAULTS.filter((fault) => names.includes(fault));
    }
    throw new Error(`none, or some of ${FAULT_NAMES} with commas between them`);
  },
};

const line = {
  command: 'npm run staleness',
  about:
    'Changes, publishes, revokes and disconnects at several servers on one database while ' +
    'readers check that no answer is stale, late or mixed. Exit code 1 on any violation.',
  words: null,
  flags: {
    reads: wholeNumber('ends after so many reads', 200_000, 1),
    seconds: positiveNumber('ends after so many seconds', 600),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
    processes: wholeNumber('servers on the database', 3, 1),
    faults: faultList,
    strict: toggle('allows no resource to show another process’s change before the others'),
  },
};

/** Reads the command line; throws NotStarted with the help, or with what is wrong with it. */
export function readStalenessOptions(args: readonly string[]): StalenessOptions {
  const { strict: isStrict, seed, ...others } = readArguments(line, args).values;
  return { ...others, seed: seed ?? randomInt(SEEDS), isStrict };
}
