import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import {
  startTestServer,
  TEST_SERVER_VARIABLE,
} from '../../packages/postgres/test/global-setup.ts';
import { HELD_AT_MOST_MS, measureHolds } from '../../packages/server/test/stalls/measure.ts';

const TRIES = 7;

const line = {
  command: 'npm run stalls',
  about:
    'Sends hostile requests within the limits to each operation, or to those with a word in their ' +
    'ids, and says how long each held the event loop of a server. Exit code 1 when one held it for ' +
    'more than 20 ms of processor time.',
  words: 'operation',
  flags: {},
};
const { words } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const server = process.env[TEST_SERVER_VARIABLE] ? null : await startTestServer();
if (server) process.env[TEST_SERVER_VARIABLE] = server.url;
try {
  const held = await measureHolds({
    isShort: false,
    limitMs: HELD_AT_MOST_MS,
    tries: TRIES,
    only: ({ id }) => words.length === 0 || words.some((word) => id.includes(word)),
    onHeld: ({ operation, longestMs, status, input, requests }) => {
      const longest = longestMs.toFixed(1).padStart(6);
      console.log(`${longest} ms  ${operation}  ${status}  ${input}  (of ${requests})`);
    },
  });
  const tooLong = held.filter(({ longestMs }) => longestMs > HELD_AT_MOST_MS);
  const longest = Math.max(...held.map(({ longestMs }) => longestMs));
  const requests = held.reduce((sum, each) => sum + each.requests, 0);
  console.log(`${requests} requests, ${held.length} operations, longest ${longest.toFixed(1)} ms`);
  for (const { operation } of tooLong) console.log(`too long: ${operation}`);
  process.exitCode = tooLong.length === 0 ? 0 : 1;
} finally {
  await server?.stop();
}
