import { randomInt } from 'node:crypto';
import {
  type Flag,
  positiveNumber,
  readArguments,
  toggle,
  wholeNumber,
} from '../../../bench/src/command-line.ts';
import type { FaultName, ReplicaFault } from './faults.ts';

/** What a long run is asked to do. */
export interface StalenessOptions {
  readonly reads: number;
  readonly seconds: number;
  readonly seed: number;
  readonly processes: number;
  /** In the order in which they are played. */
  readonly faults: readonly FaultName[];
  readonly isStrict: boolean;
  readonly hasReplica: boolean;
}

const FAULTS: readonly FaultName[] = ['pause', 'cut', 'sessions', 'pause', 'hang', 'drop', 'kill'];
const REPLICA_FAULTS: readonly ReplicaFault[] = ['replica-lag', 'replica-hang', 'replica-kill'];
/** In turn, so that a short run has some of both. */
const ALL_FAULTS = FAULTS.flatMap((fault, turn) => [
  fault,
  ...REPLICA_FAULTS.slice(turn, turn + 1),
]);
const FAULT_NAMES = [...new Set(ALL_FAULTS)].join(', ');
const SEEDS = 2 ** 32;

const faultList: Flag<readonly FaultName[]> = {
  shown: 'NAMES',
  about: `what goes wrong on the way: none, or some of ${FAULT_NAMES} (all)`,
  fallback: ALL_FAULTS,
  read(given) {
    if (given === 'none') return [];
    const names = given.split(',');
    if (names.every((name) => ALL_FAULTS.some((fault) => fault === name))) {
      return ALL_FAULTS.filter((fault) => names.includes(fault));
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
    replica: toggle('all servers read from a streaming replica; without it, no fault of one comes'),
    strict: toggle('allows no resource to show another process’s change before the others'),
  },
};

/** Reads the command line; throws NotStarted with the help, or with what is wrong with it. */
export function readStalenessOptions(args: readonly string[]): StalenessOptions {
  const { strict, replica, seed, faults, ...others } = readArguments(line, args).values;
  return {
    ...others,
    faults: replica ? faults : faults.filter((fault) => !isOfReplica(fault)),
    seed: seed ?? randomInt(SEEDS),
    isStrict: strict,
    hasReplica: replica,
  };
}

function isOfReplica(fault: FaultName): boolean {
  return REPLICA_FAULTS.some((one) => one === fault);
}
