/**
 * Kills the server with `kill -9` while it creates, copies, restores and drops sandboxes, and checks
 * that nothing half is left and nothing is lost: `npm run sandbox-crash -- --kills 100 --seed 7`.
 * Exit code 1 on any violation.
 */
import { randomInt } from 'node:crypto';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { playSandboxCrash } from './sandbox-crash/run.ts';

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const SEEDS = 2 ** 32;
const line = {
  command: 'npm run sandbox-crash',
  about:
    'Kills the server while it creates, copies, restores and drops sandboxes, and checks that ' +
    'nothing half is left and nothing is lost. Exit code 1 on any violation.',
  words: null,
  flags: {
    kills: wholeNumber('ends after so many kills in the middle of an operation', 100, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const options = { ...values, seed: values.seed ?? randomInt(SEEDS) };
console.log(`${options.kills} kills, seed ${options.seed}`);
const { late, violations } = await playSandboxCrash(options, console.log);
for (const violation of violations) console.log(violation);
console.log(`${late} more kills came just after the acknowledgment`);
console.log(violations.length === 0 ? 'nothing half, nothing lost' : 'violations: see above');
process.exit(violations.length === 0 ? 0 : 1);
