import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Lets whatever is under way go on for a moment. */
async function turn(): Promise<false> {
  await readDatabaseTimeMs(fixture.database.sql);
  return false;
}

/** More than a process works on at once. */
const MANY = 130;

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'scripted silence' };

/** A processor that never answers about some payments, and sweeps of it like those of a server. */
async function openSilence(ofWhich: readonly Life[]) {
  const ids = new Set(await Promise.all(ofWhich.map(async (life) => (await life.row()).paymentId)));
  const { processor } = fixture;
  const silentAbout = <Order extends { readonly key: string }>(
    call: (order: Order, signal: AbortSignal) => Promise<ProcessorAnswer>,
  ) => {
    return async (order: Order, signal: AbortSignal) =>
      ids.has(order.key.split(':')[1] ?? '')
        ? await new Promise<never>(() => {})
        : await call(order, signal);
  };
  const silent = {
    authorize: silentAbout<Parameters<typeof processor.authorize>[0]>(processor.authorize),
    inquire: silentAbout<Parameters<typeof processor.inquire>[0]>(processor.inquire),
    capture: silentAbout<Parameters<typeof processor.capture>[0]>(processor.capture),
    void: silentAbout<Parameters<typeof processor.void>[0]>(processor.void),
  };
  const sweep = createPaymentSweep({ ...fixture.deps, timer: fixture.timer, processor: silent });
  const runs: Promise<unknown>[] = [];
  const look = () => {
    runs.push(sweep.runDue(fixture.clock.nowMs(), { isSequential: false }));
  };
  return {
    /** Looks again and again until that is so; what waits for an answer does so until `end`. */
    async until(isSo: () => Promise<boolean>): Promise<void> {
      const limitMs = performance.now() + 120_000;
      while (!(await isSo())) {
        assert.ok(performance.now() < limitMs, 'it waits for calls without an answer');
        look();
        for (let turns = 0; turns < 20; turns += 1) await turn();
      }
    },
    /** Lets all calls without an answer run out of time. */
    async end(): Promise<void> {
      const ending = Promise.all(runs).then(() => true);
      while (!(await Promise.race([ending, turn()]))) fixture.timer.fire(5_000);
    },
  };
}

async function authorized(): Promise<Life> {
  const life = beginLife(fixture);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  return life;
}

const lives = (count: number) => Promise.all(Array.from({ length: count }, authorized));
const areIn = async (all: readonly Life[], state: string) =>
  (await Promise.all(all.map((life) => life.state()))).every((found) => found === state);

test('createPaymentSweep PAY-I3: retries without an answer do not keep off what is new', async () => {
  const silent = await lives(MANY);
  for (const life of silent) {
    life.script('void', unknown);
    await life.void();
  }
  fixture.clock.advance(SECOND_MS);
  const deadline = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const asked = beginLife(fixture);
  asked.script('authorize', unknown);
  await asked.put();
  const silence = await openSilence(silent);
  await silence.until(async () => (await deadline.state()) === 'VOIDED');
  await silence.until(async () => (await asked.row()).tries === 1);
  assert.ok(fixture.timer.waits(5_000) < MANY, 'so many calls are not made at once');
  await silence.end();
  assert.ok(await areIn(silent, 'VOID_PENDING'));
});

test('createPaymentSweep PAY-I3: first calls without an answer keep off no others', async () => {
  const silent = await lives(MANY);
  fixture.clock.advance(5 * MINUTE_MS);
  const asked = beginLife(fixture);
  asked.script('authorize', unknown);
  await asked.put();
  const silence = await openSilence(silent);
  await silence.until(async () => await areIn(silent, 'VOID_PENDING'));
  await silence.until(async () => (await asked.row()).tries === 1);
  assert.ok(fixture.timer.waits(5_000) < MANY, 'so many calls are not made at once');
  await silence.end();
  assert.ok(await areIn(silent, 'VOID_PENDING'));
});
