import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { makeMove } from '../../src/payments/life/outcome.ts';
import { recordMove } from '../../src/payments/life/record.ts';
import { settle } from '../../src/payments/life/settle.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listAlarms, listAttempts } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'scripted silence' };
const notFound: ProcessorAnswer = { outcome: 'notFound', explanation: 'scripted: not known' };
const approvalOf = (amountMinor: number): ProcessorAnswer => ({
  outcome: 'approved',
  authorizationCode: '123456',
  amountMinor,
  currencyCode: 'USD',
  reference: 'scripted',
});

const callsOf = ({ calls }: Life, operation: string) =>
  calls.filter((call) => call.startsWith(`${operation} `));

async function authorized(): Promise<Life> {
  const life = beginLife(fixture);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  return life;
}

/** A payment that is to be voided, whose one call for it was not answered. */
async function unanswered(): Promise<Life> {
  const life = await authorized();
  life.script('void', unknown);
  await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'VOID_PENDING');
  return life;
}

// What claims payments looks at due_at; these tests hand one to the work.
test('settle PAY-I3: a payment that is handed over too early stays as it is', async () => {
  const life = await authorized();
  const settled = async () => (await settle(life.deps, await life.row())).payment.state;
  fixture.clock.advance(5 * MINUTE_MS - 1);
  assert.equal(await settled(), 'AUTHORIZED');
  await life.apply();
  fixture.clock.advance(MINUTE_MS);
  assert.equal(await settled(), 'APPLIED', 'a check took it: the five minutes are over');
  const { captureAt } = await life.fulfil();
  fixture.clock.advance(Number(captureAt) - fixture.clock.nowMs() - 1);
  assert.equal(await settled(), 'CAPTURE_SCHEDULED');
  await life.advance(1);
  assert.equal(await life.state(), 'CAPTURED');
});

test('settle PAY-I3: a call without a result is not repeated before its time', async () => {
  const life = await unanswered();
  await life.sweep();
  await life.advance(999);
  assert.equal(callsOf(life, 'void').length, 1);
  await life.advance(1);
  assert.equal(callsOf(life, 'void').length, 2);
  assert.equal(await life.state(), 'VOIDED');
});

test('settle PAY-I5: work that comes too late leaves the newer payment alone', async () => {
  const life = await unanswered();
  const stale = await life.row();
  await life.advance(1_000);
  const voided = await life.row();
  assert.equal(voided.state, 'VOIDED');
  life.script('void', unknown);
  await settle(life.deps, stale);
  assert.deepEqual(await life.row(), voided);
});

test('recordMove PAY-I5: of two moves of one version the first counts', async () => {
  const life = await authorized();
  const stale = await life.row();
  const applied = await life.apply();
  const late = makeMove('voidedOnPointOfSale', fixture.clock.nowMs(), {
    change: { voidReason: 'too late' },
  });
  const { isOurs, payment } = await recordMove(life.deps, stale, late);
  assert.deepEqual([isOurs, payment], [false, applied]);
  assert.deepEqual(await life.causes(), ['submitted', 'approved', 'appliedToCheck']);
});

test('createPaymentSweep PAY-I1: what one sweep works on another leaves alone', async () => {
  const life = await authorized();
  const release = Promise.withResolvers<void>();
  const [began, beganAgain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { processor } = life.deps;
  let begun = 0;
  const slow = {
    ...processor,
    void: async (...order: Parameters<typeof processor.void>) => {
      begun += 1;
      (begun === 1 ? began : beganAgain).resolve();
      await release.promise;
      return await processor.void(...order);
    },
  };
  fixture.clock.advance(5 * MINUTE_MS);
  const nowMs = fixture.clock.nowMs();
  const sweep = () =>
    createPaymentSweep({ ...life.deps, processor: slow }).runDue(nowMs, { isSequential: false });
  const first = sweep();
  await Promise.race([began.promise, first]);
  const second = sweep();
  const seen = await Promise.race([
    second.then((done) => done.map(({ paymentUuid }) => paymentUuid)),
    beganAgain.promise.then(() => 'it works on it too'),
  ]);
  release.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(seen, []);
  assert.equal(await life.state(), 'VOIDED');
  assert.equal(callsOf(life, 'void').length, 1);
});

test('settle PAY-I3: a person is told once of what is not settled for minutes', async () => {
  const life = await authorized();
  const alarmed: string[] = [];
  const nothing = () => {};
  const alarmedBy = (kind: string) => alarmed.push(kind);
  const observer = { moved: nothing, velocityRefused: nothing, alarmed: alarmedBy };
  const { runDue } = createPaymentSweep({ ...life.deps, observer });
  life.script('void', ...Array<ProcessorAnswer>(12).fill(unknown));
  for (let tries = 0; tries < 12; tries += 1) {
    fixture.clock.advance(5 * MINUTE_MS);
    await runDue(fixture.clock.nowMs(), { isSequential: false });
  }
  assert.deepEqual(alarmed, ['UNSETTLED']);
});

test('settle PAY-I4: a capture of another amount is for a person', async () => {
  const life = await authorized();
  await life.apply();
  await life.fulfil();
  life.script('capture', approvalOf(1249));
  await life.capture();
  assert.equal(await life.state(), 'REVIEW');
  const alarms = await listAlarms(fixture.database.sql, life.key);
  assert.equal(alarms.length, 1);
  assert.equal((await life.row()).capturedMinor, null);
});

test('followUp PAY-I1: of two attempts that were not found each is reversed by itself', async () => {
  const life = beginLife(fixture);
  for (const attempt of [1, 2]) {
    life.script('authorize', unknown);
    await life.put();
    life.script('inquire', notFound);
    await life.advance(20_000);
    assert.equal(await life.state(), 'ABORTED', `attempt ${attempt}`);
  }
  const before = await life.row();
  life.script('inquire', approvalOf(1250));
  life.script('void', approvalOf(1250));
  await life.advance(40_000);
  assert.deepEqual(callsOf(life, 'void'), [`void reversal:${before.paymentId}:1`]);
  assert.deepEqual(await life.row(), before, 'the second attempt is not what was approved');
  const { merchantGuid, paymentUuid } = life.key;
  const attempts = await listAttempts(fixture.database.sql, merchantGuid, paymentUuid);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['REVERSED', 'NOT_FOUND'],
  );
});
