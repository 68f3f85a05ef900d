/**
 * Kills the senders of events and their database with `kill -9` again and again while connections
 * change, and checks that each event arrived, with one guid and the same bytes, and in order where
 * the endpoint wants order: `npm run hooks-crash -- --kills 100 --events 50000 --seed 7`. Each kill
 * comes while events are sent, as far as it can be timed, and nobody helps one of the partners to
 * its retries. Exit code 1 on any violation.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { playHooksCrash } from './hooks-crash/run.ts';

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    events: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  },
});
const startedAtMs = performance.now();
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${String(seconds).padStart(4)} s  ${line}`);
};
const options = {
  kills: Number(values.kills),
  events: Number(values.events),
  seed: Number(values.seed),
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
