/**
 * Keeps many sandboxes of one process in use at once, and prints memory, connections and timers before,
 * at the peak, and at rest: `npm run sandbox-crowd -- --sandboxes 200`.
 */
import { sleep } from '@servery/support/timer.ts';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { attachInspector, type Inspector } from '../../bench/src/inspector.ts';
import { cpuTimeMs, memoryOf } from '../../bench/src/processes.ts';
import { spawnPlatform } from '../../packages/server/test/payments/hunt/spawned-platform.ts';
import { createSandbox, Place } from '../../packages/server/test/sandboxes/place.ts';
import { countConnections } from './sandboxes/server-store.ts';

const line = {
  command: 'npm run sandbox-crowd',
  about:
    'Keeps many sandboxes of one process in use at once, and prints memory, connections and timers ' +
    'before, at the peak, and at rest.',
  words: null,
  flags: {
    sandboxes: wholeNumber('how many sandboxes', 200, 1),
    rounds: wholeNumber('how often each is called', 5, 1),
  },
};
const { sandboxes, rounds } = readOrEnd(() => readArguments(line, process.argv.slice(2))).values;
const GOAL_MIB = 1_024;
const MEBIBYTE = 2 ** 20;
const PAUSE_MS = 1_000;
/** Characters of the server's own words, where a call fails. */
const OUTPUT_SHOWN = 4_000;
const QUIET_MS = 10_000;
const SAMPLE_MS = 500;
const REST_LIMIT_MS = 180_000;
const UNAVAILABLE = 503;
let askedAgain = 0;

// For the count of timers. The card simulator opens one as well, later.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --inspect=127.0.0.1:0`;
const platform = await spawnPlatform([
  ...['--profile', 'demo', '--kind', 'sandbox', '--sandboxes', String(sandboxes)],
  ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'],
]);
const inspectorUrl = /ws:\/\/\S+/.exec(platform.output())?.[0] ?? '';
const { pid } = platform;
const main = new Place(platform.url, platform.demo);

try {
  await using inspector = await attachInspector(inspectorUrl);
  const look = async () => ({
    residentMib: (await memoryOf(pid)).rss / MEBIBYTE,
    ...(await countConnections(platform.database.sql)),
  });
  type Look = Awaited<ReturnType<typeof look>>;
  const tell = (when: string, found: Look, timers: number) =>
    console.log(
      `${when.padEnd(12)}${found.residentMib.toFixed(0).padStart(6)} MiB resident, ` +
        `${found.connections} connections, ${found.sandboxes} sandboxes open, ${timers} timers`,
    );
  const cpuAtRest = async () => {
    const startedMs = await cpuTimeMs(pid);
    await sleep(QUIET_MS);
    return ((await cpuTimeMs(pid)) - startedMs) / (QUIET_MS / 1_000);
  };

  await main.as('partner', 'platform.whoami');
  const before = await look();
  const timersBefore = await countTimers(inspector);
  const cpuBefore = await cpuAtRest();
  const places: Place[] = [];
  while (places.length < sandboxes) {
    places.push(await createSandbox(main, { from: { profile: 'demo' } }));
    if (places.length % 20 === 0) console.error(`${places.length} of ${sandboxes} created`);
  }
  const peak = await look();
  const isDone = new AbortController();
  const sampling = sample(isDone.signal, look, (found) => {
    for (const name of Object.keys(peak) as (keyof Look)[]) {
      peak[name] = Math.max(peak[name], found[name]);
    }
  });
  try {
    await callAll(places);
  } finally {
    isDone.abort();
    await sampling;
  }
  const timersInUse = await countTimers(inspector);
  const limitAt = performance.now() + REST_LIMIT_MS;
  let after = await look();
  while (after.sandboxes > 0 && performance.now() < limitAt) {
    await sleep(SAMPLE_MS);
    after = await look();
  }
  const timersAfter = await countTimers(inspector);
  const cpuAfter = await cpuAtRest();

  console.log(`${sandboxes} sandboxes in one process, each called ${rounds} times or more`);
  tell('before', before, timersBefore);
  tell('at the peak', peak, timersInUse);
  tell('at rest', after, timersAfter);
  console.log(`calls answered 503 while others were opened: ${askedAgain}`);
  console.log(`at rest, ms of processor a second: ${cpuBefore} before, ${cpuAfter} after`);
  const isMet = peak.residentMib <= GOAL_MIB && peak.sandboxes >= sandboxes;
  const told = isMet ? 'met' : 'MISSED';
  console.log(`goal: ${sandboxes} in use at once, at most ${GOAL_MIB} MiB: ${told}`);
} catch (error) {
  console.error(platform.output().slice(-OUTPUT_SHOWN));
  throw error;
} finally {
  await platform.end();
  await platform.remove();
}

/** All timers that run, including those that would not keep the process alive. Collects garbage. */
async function countTimers(inspector: Inspector): Promise<number> {
  const made = (await inspector.ask('Runtime.evaluate', {
    expression:
      '{ const one = setTimeout(() => {}); clearTimeout(one); one.constructor.prototype }',
  })) as { result: { objectId: string } };
  const { objects } = (await inspector.ask('Runtime.queryObjects', {
    prototypeObjectId: made.result.objectId,
  })) as { objects: { objectId: string } };
  const counted = (await inspector.ask('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return this.filter((one) => !one._destroyed).length; }',
    returnByValue: true,
  })) as { result: { value: number } };
  await inspector.ask('Runtime.releaseObject', { objectId: objects.objectId });
  return counted.result.value;
}

/**
 * A caller each, with a read and a payment a time. Nobody stops before all have called often enough,
 * so that all are in use at once.
 */
async function callAll(places: readonly Place[]): Promise<void> {
  let unfinished = places.length;
  const callOn = async (place: Place) => {
    await enter(place);
    for (let calls = 0; unfinished > 0; calls += 1) {
      if (calls === rounds) unfinished -= 1;
      const { restaurant } = place;
      const menus = await place.as('partner', 'menus.getMetadata', { restaurant });
      const paid = calls < rounds ? await place.pay() : menus;
      for (const { status, text } of [menus, paid]) {
        if (status !== 200) throw new Error(`${place.url}: ${status} ${text}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(places.map(callOn));
}

/** A few are opened at a time: if that takes too long, the caller is asked to come again. */
async function enter(place: Place): Promise<void> {
  while ((await place.with(null, 'menus.getMetadata')).status === UNAVAILABLE) {
    askedAgain += 1;
    await sleep(PAUSE_MS);
  }
}

async function sample<Found>(
  signal: AbortSignal,
  look: () => Promise<Found>,
  onFound: (found: Found) => void,
): Promise<void> {
  while (!signal.aborted) {
    onFound(await look());
    await sleep(SAMPLE_MS);
  }
}
