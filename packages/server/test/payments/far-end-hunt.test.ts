import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations } from '../../src/payments/processors/protocol.ts';
import type { Operation } from '../../src/payments/processors/simulator/faults.ts';
import { newRandomId } from '../../src/support/ids.ts';
import { readAllText } from './fixture-store.ts';
import { type Canary, openSender, type Sender } from './hunt/canaries.ts';
import { type Channel, channels, type Echo, startEcho } from './hunt/echo.ts';
import { filesBelow, logIn, type SpawnedPlatform, spawnPlatform } from './hunt/spawned-platform.ts';
import { until } from './processors/orders.ts';

let echo: Echo;
let platform: SpawnedPlatform;
let sender: Sender;
let merchantUuid: string;
let headers: Record<string, string>;
before(async () => {
  echo = await startEcho();
  platform = await spawnPlatform([
    ...['--log-level', 'debug', '--profile', 'demo', '--kind', 'sandbox'],
    ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '1000000'],
    ...['--processor-url', echo.url],
  ]);
  sender = await openSender(platform);
  merchantUuid = platform.demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';
  const accessToken = await logIn(platform, platform.demo.clients.orders);
  headers = { authorization: `Bearer ${accessToken}` };
});
after(async () => {
  await platform?.remove();
  await echo?.close();
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

async function quoteInAll(operation: Operation, channel: Channel): Promise<string[]> {
  return await Promise.all(
    Object.values(writers).map(async (write) => {
      const canary = sender.canary();
      const paymentUuid = newRandomId();
      echo.order(canary.cardNumber, { operation, channel, words: write(canary) });
      await lead(paymentUuid, canary, operation);
      return paymentUuid;
    }),
  );
}

/** Words without card data, which must be found: they show that the hunt looks where words go. */
const SCENT = 'of the acquirer that sleeps';

/** Has the far end quote canaries in its answers to an operation, and looks at the payments. */
async function quoteIn(operation: Operation): Promise<void> {
  const before = echo.quoted();
  const paymentUuids: string[] = [];
  for (const channel of channels) {
    paymentUuids.push(...(await quoteInAll(operation, channel)));
  }
  const quotes = channels.length * Object.keys(writers).length;
  await until(`every quote to ${operation}`, () => echo.quoted() === before + quotes);
  for (const paymentUuid of paymentUuids) {
    const path = `/backoffice/v1/merchants/${merchantUuid}/payments/${paymentUuid}`;
    await sender.send(path, { headers });
    assert.equal((await sender.send(`${path}/events`, { headers })).status, 200);
  }
}

async function leaveScent(): Promise<void> {
  const canary = sender.canary();
  echo.order(canary.cardNumber, { operation: 'void', channel: 'notFound', words: SCENT });
  await lead(newRandomId(), canary, 'void');
}

test('creditCards.authorize I7: no canary that the far end quoted is anywhere', async () => {
  for (const operation of operations) await quoteIn(operation);
  await leaveScent();
  const accessToken = await logIn(platform, platform.demo.clients.operator);
  const asOperator = { authorization: `Bearer ${accessToken}` };
  for (const path of ['alarms?pageSize=100', 'metrics', 'payments?pageSize=100']) {
    const { status } = await sender.send(`/backoffice/v1/${path}`, { headers: asOperator });
    assert.equal(status, 200, path);
  }
  hunt('the answers', sender.received.join('\n'));
  const { sql } = platform.database;
  const dump = await readAllText(sql);
  assert.ok(dump.includes(SCENT) && dump.includes('its words are not kept'));
  hunt('the tables', dump);
  await sql.unsafe('checkpoint');
  await platform.end();
  for await (const [file, bytes] of filesBelow(platform.dataDir)) {
    assert.deepEqual(sender.prey.findIn(bytes), [], file);
  }
  const output = platform.output();
  assert.ok(output.includes(SCENT) && output.includes('its words are not kept'));
  hunt('the output', output);
});

function hunt(place: string, content: string): void {
  assert.deepEqual(sender.prey.findIn(Buffer.from(content)), [], place);
}
