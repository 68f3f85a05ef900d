import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, operations } from '@servery/card-simulator/messages.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { sleep } from '@servery/support/timer.ts';
import { readAllText } from './fixture-store.ts';
import { type Canary, openSender, type Sender } from './hunt/canaries.ts';
import {
  type Channel,
  channels,
  type QuotingProcessor,
  startQuotingProcessor,
} from './hunt/quoting-processor.ts';
import { filesBelow, logIn, type SpawnedPlatform, spawnPlatform } from './hunt/spawned-platform.ts';

let processor: QuotingProcessor;
let platform: SpawnedPlatform;
let sender: Sender;
let merchantUuid: string;
let headers: Record<string, string>;
before(async () => {
  processor = await startQuotingProcessor();
  platform = await spawnPlatform([
    ...['--log-level', 'debug', '--profile', 'demo', '--kind', 'sandbox'],
    ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '1000000'],
    ...['--processor-url', processor.url],
  ]);
  sender = await openSender(platform);
  merchantUuid = platform.demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';
  const accessToken = await logIn(platform, platform.demo.clients.orders);
  headers = { authorization: `Bearer ${accessToken}` };
});
after(async () => {
  await platform?.remove();
  await processor?.close();
});

const grouped = (mark: string) => (canary: Canary) =>
  canary.cardNumber.replaceAll(/(.{4})(?=.)/g, `$1${mark}`);

/** What is quoted: the number in the ways in which programs write it, or the security code. */
const writers: Record<string, (canary: Canary) => string> = {
  plain: grouped(''),
  dotted: grouped('.'),
  spaced: grouped(' '),
  hyphenated: grouped('-'),
  code: ({ cvv }) => cvv,
  behindLetters: ({ cardNumber }) => `ref${cardNumber}`,
};

async function move(paymentUuid: string, name: string, body?: object): Promise<void> {
  const path = `/backoffice/v1/merchants/${merchantUuid}/payments/${paymentUuid}/${name}`;
  await sender.send(path, { method: 'POST', headers, ...(body && { body }) });
}

/** Leads a payment to where the processor gets a call of that operation. */
async function lead(paymentUuid: string, canary: Canary, operation: Operation): Promise<void> {
  await sender.put(await sender.body(canary), paymentUuid);
  if (operation === 'void') await move(paymentUuid, 'void', { reason: 'the guest has left' });
  if (operation !== 'capture') return;
  await move(paymentUuid, 'apply', { checkGuid: newRandomId() });
  await move(paymentUuid, 'fulfil');
  await move(paymentUuid, 'capture');
}

/** What the processor is to quote, where in its answer to which operation. */
interface Wanted {
  readonly operation: Operation;
  readonly channel: Channel;
  readonly write: (canary: Canary) => string;
}

/** A payment that was led to where the processor quotes its card. */
interface Led {
  readonly wanted: Wanted;
  readonly paymentUuid: string;
  readonly isGiven: () => boolean;
}

async function leadTo(wanted: Wanted): Promise<Led> {
  const { operation, channel, write } = wanted;
  const canary = sender.canary();
  const paymentUuid = newRandomId();
  processor.order(canary.cardNumber, { operation, channel, words: write(canary) });
  await lead(paymentUuid, canary, operation);
  return { wanted, paymentUuid, isGiven: () => processor.hasGiven(canary.cardNumber) };
}

/** Waits until all are given; on a slow machine a call may be given up before it is sent. */
async function waitFor(led: readonly Led[]): Promise<void> {
  const endMs = performance.now() + CALL_LIMIT_MS;
  while (performance.now() < endMs && !led.every(({ isGiven }) => isGiven())) {
    await sleep(POLL_MS);
  }
}

const POLL_MS = 100;
/** What is not asked by then is not asked at all. */
const CALL_LIMIT_MS = 15_000;
/** So many payments are led at once, and so often. */
const AT_ONCE = 6;
const ROUNDS_MAX = 5;

/** Makes the processor give all quotes; what nobody asked it is tried with another payment. */
async function quoteAll(all: readonly Wanted[]): Promise<Led[]> {
  const given: Led[] = [];
  let open = all;
  for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
    const led: Led[] = [];
    for (let at = 0; at < open.length; at += AT_ONCE) {
      led.push(...(await Promise.all(open.slice(at, at + AT_ONCE).map(leadTo))));
    }
    await waitFor(led);
    given.push(...led.filter(({ isGiven }) => isGiven()));
    open = led.filter(({ isGiven }) => !isGiven()).map(({ wanted }) => wanted);
  }
  assert.deepEqual(open, [], 'every quote is given');
  return given;
}

/** Words without card data, which must be found: they show that the hunt looks where words go. */
const MARKER = 'of the acquirer that sleeps';

/** Each channel with each way of writing and with each operation; pairs, not all triples. */
function pairs(): Wanted[] {
  return channels.flatMap((channel) =>
    Object.values(writers).map((write, at): Wanted => {
      const operation = operations[at % operations.length] ?? 'authorize';
      return { operation, channel, write };
    }),
  );
}

/** Makes the processor quote canaries, and looks at the payments. */
async function quotePairs(): Promise<void> {
  for (const { paymentUuid } of await quoteAll(pairs())) {
    const path = `/backoffice/v1/merchants/${merchantUuid}/payments/${paymentUuid}`;
    await sender.send(path, { headers });
    assert.equal((await sender.send(`${path}/events`, { headers })).status, 200);
  }
}

const marker: Wanted = { operation: 'void', channel: 'notFound', write: () => MARKER };

test('creditCards.authorize PAY-I7: no canary that the processor quoted is anywhere', async () => {
  await quotePairs();
  await quoteAll([marker]);
  const accessToken = await logIn(platform, platform.demo.clients.operator);
  const asOperator = { authorization: `Bearer ${accessToken}` };
  for (const path of ['alarms?pageSize=100', 'metrics', 'payments?pageSize=100']) {
    const { status } = await sender.send(`/backoffice/v1/${path}`, { headers: asOperator });
    assert.equal(status, 200, path);
  }
  hunt('the answers', sender.received.join('\n'));
  const { sql } = platform.database;
  const dump = await readAllText(sql);
  assert.ok(dump.includes(MARKER) && dump.includes('its words are not kept'));
  hunt('the tables', dump);
  await sql.unsafe('checkpoint');
  await platform.end();
  for await (const [file, bytes] of filesBelow(platform.dataDir)) {
    assert.deepEqual(sender.search.findIn(bytes), [], file);
  }
  const output = platform.output();
  assert.ok(output.includes(MARKER) && output.includes('its words are not kept'));
  hunt('the output', output);
});

function hunt(place: string, content: string): void {
  assert.deepEqual(sender.search.findIn(Buffer.from(content)), [], place);
}
