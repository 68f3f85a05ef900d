import { randomInt } from 'node:crypto';
import {
  oneOf,
  positiveNumber,
  readArguments,
  wholeNumber,
} from '../../../bench/src/command-line.ts';
import type { Defect } from '../defects/defect.ts';
import { defects } from '../defects/list.ts';

/** What a crash run is asked to do. */
export interface CrashOptions {
  /** How long to kill, in minutes. */
  readonly minutes: number;
  /** After how many kills to end even before; null for no limit. */
  readonly kills: number | null;
  readonly seed: number;
  /** What is broken on purpose; null for nothing. */
  readonly defect: Defect | null;
}

const DEFAULT_MINUTES = 2;
const SEEDS = 2 ** 32;
const DEFECT_NAMES = defects.map(({ name }) => name);

const line = {
  command: 'npm run crash',
  about:
    'Kills servers, PostgreSQL and the processor at random while clients pay, and checks that ' +
    'nothing was lost, doubled or forgotten. Exit code 1 on any violation.',
  words: null,
  flags: {
    minutes: positiveNumber('how long to kill', DEFAULT_MINUTES),
    kills: wholeNumber('ends after so many kills even before', null, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
    defect: oneOf('plants a defect of `npm run defects` in the servers', DEFECT_NAMES),
  },
};

/** Reads the command line; throws NotStarted with the help, or with what is wrong with it. */
export function readOptions(args: readonly string[]): CrashOptions {
  const { minutes, kills, seed, defect } = readArguments(line, args).values;
  return {
    minutes,
    kills,
    seed: seed ?? randomInt(SEEDS),
    defect: defects.find(({ name }) => name === defect) ?? null,
  };
}
