/**
 * Kills the senders of events and their database with `kill -9` again and again while connections
 * change, and checks that each event arrived, with one guid and the same bytes, and in order where
 * the endpoint wants order: `npm run hooks-crash -- --kills 100 --events 50000 --seed 7`. Each kill
 * comes while events are sent, as far as it can be timed, and nobody helps one of the partners to
 * its retries. Exit code 1 on any violation.
 */
import { randomInt } from 'node:crypto';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { playHooksCrash } from './hooks-crash/run.ts';

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const SEEDS = 2 ** 32;
const line = {
  command: 'npm run hooks-crash',
  about:
    'Kills the senders of events and their database again and again while connections change, ' +
    'and checks that each event arrived, and in order. Exit code 1 on any violation.',
  words: null,
  flags: {
    kills: wholeNumber('ends after so many kills', 100, 1),
    events: wholeNumber('and so many events', 50_000, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const options = { ...values, seed: values.seed ?? randomInt(SEEDS) };
const startedAtMs = performance.now();
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${String(seconds).padStart(4)} s  ${line}`);
};
tell(`${options.kills} kills, ${options.events} events, seed ${options.seed}`);
const report = await playHooksCrash(options, tell);
const { events, requests, duplicates, refused, busyKills, violations } = report;
tell(`${busyKills} of ${options.kills} kills came while deliveries were under way`);
tell(`${events} events in ${requests} requests: ${duplicates} duplicates, ${refused} refused`);
for (const violation of violations.slice(0, 50)) console.log(violation);
tell(
  violations.length === 0
    ? 'nothing lost, nothing out of order'
    : `${violations.length} violations`,
);
process.exit(violations.length === 0 ? 0 : 1);
