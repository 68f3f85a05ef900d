import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation, ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { nextTurn } from '@servery/support/runner.ts';
import { PROCESSOR_DEADLINE_MS } from '../../src/payments/authorize/authorize.ts';
import { type TestCard, testCards } from '../../src/payments/cards/test-cards.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { APPLY_WINDOW_MS } from '../../src/payments/life/lifecycle.ts';
import { SETTLE_DEADLINE_MS } from '../../src/payments/life/step.ts';
import { openPaymentFixture, type PaymentFixture, TestTimer } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

const DEADLINES_MS = [PROCESSOR_DEADLINE_MS, SETTLE_DEADLINE_MS];
/** Whatever is tried again after a capture or a void is over by then. */
const TRIES_MS = 60_000;

let fixture: PaymentFixture;
before(async () => {
  // A slow card answers at once; a deadline passes only where the processor is silent.
  const isSlowness = (durationMs: number) =>
    durationMs < PROCESSOR_DEADLINE_MS && !DEADLINES_MS.includes(durationMs);
  fixture = await openPaymentFixture({ timer: new TestTimer(isSlowness) });
  const operations: Operation[] = ['authorize', 'inquire', 'capture', 'void'];
  for (const operation of operations) endSilence(fixture, operation);
});
after(() => fixture.close());

/** The simulator answers within one turn of the event loop, or never. */
function endSilence({ processor, timer }: PaymentFixture, operation: Operation): void {
  const call = processor[operation] as (
    order: unknown,
    signal: AbortSignal,
  ) => Promise<ProcessorAnswer>;
  processor[operation] = async (order: unknown, signal: AbortSignal) => {
    const answer = call(order, signal);
    const oneTurn = nextTurn().then(() => 'silent');
    const first = await Promise.race([answer.catch(() => 'broken'), oneTurn]);
    if (first === 'silent') for (const deadlineMs of DEADLINES_MS) timer.fire(deadlineMs);
    return await answer;
  };
}

/** Runs what falls due, each piece at its own instant, until `untilMs`. */
async function runUntil(life: Life, untilMs: number): Promise<void> {
  const sweep = createPaymentSweep(life.deps);
  for (;;) {
    const nextMs = await sweep.nextDueMs();
    if (nextMs === null || nextMs > untilMs) break;
    await life.advance(Math.max(nextMs - fixture.clock.nowMs(), 0));
  }
  await life.advance(untilMs - fixture.clock.nowMs());
}

async function holdsOf(life: Life): Promise<string[]> {
  const { paymentId } = await life.row();
  const holds = fixture.processor.ledger().filter((hold) => hold.paymentId === paymentId);
  return holds.map(({ state }) => state);
}

/** The hold that a state of ours stands for, as the processor's ledger has it (PAY-I8). */
const holdStates: Record<string, string[]> = {
  AUTHORIZED: ['HELD'],
  REVERSED: ['VOIDED'],
  VOIDED: ['VOIDED'],
  CAPTURED: ['CAPTURED'],
  ABORTED: [],
  DENIED: ['DECLINED'],
};

async function assertEnd(life: Life, state: string, row: TestCard): Promise<void> {
  assert.equal(await life.state(), state);
  if (state === 'REVIEW') return;
  assert.deepEqual(await holdsOf(life), holdStates[state], `the ledger of ${row.number}`);
}

async function settle(row: TestCard): Promise<Life> {
  const life = beginLife(fixture);
  const endMs = fixture.clock.nowMs() + APPLY_WINDOW_MS - 1;
  await life.put(row.number);
  if (row.settles === 'AUTHORIZED') await runUntil(life, fixture.clock.nowMs() + TRIES_MS);
  else await runUntil(life, endMs);
  return life;
}

for (const row of testCards) {
  const { number, brand, settles, whenVoided, whenCaptured } = row;
  const ends = [settles, whenVoided, whenCaptured].filter((state) => state !== null);
  test(`creditCards.authorize PAY-I8 ${number} ${brand} ends as ${ends.join(', ')}`, async () => {
    const life = await settle(row);
    await assertEnd(life, settles, row);
    if (whenVoided === null || whenCaptured === null) return;
    await runUntil(life, fixture.clock.nowMs() + APPLY_WINDOW_MS + TRIES_MS);
    await assertEnd(life, whenVoided, row);
    const taken = await settle(row);
    await taken.apply();
    await taken.fulfil();
    await taken.capture();
    await runUntil(taken, fixture.clock.nowMs() + TRIES_MS);
    await assertEnd(taken, whenCaptured, row);
  });
}

test('creditCards.authorize PAY-8: the card that is not processed once is approved then', async () => {
  const row = testCards.find(({ outcome }) => outcome === 'notProcessedOnce');
  const life = await settle(row as TestCard);
  assert.equal((await life.put(row?.number)).paymentState, 'AUTHORIZED');
});
