import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import type { BackOfficePayment, PaymentEvent } from '@servery/contract';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { changeTipWithin } from '../../src/payments/life/orders.ts';
import { callOperation, principal } from '../request.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listAlarms, updateMoneyAlone } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const CHECK = '23514';
const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'no answer' };

/** 10.50 and a tip of 2.00 are authorized, and a check took them. */
async function applied(): Promise<Life> {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  return life;
}

async function holdOf(life: Life) {
  const { paymentId } = await life.row();
  return fixture.processor.ledger().find((hold) => hold.paymentId === paymentId);
}

async function call(
  { key: { paymentUuid } }: Life,
  name: 'tip' | 'get' | 'events',
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return await callOperation(fixture.office, `backOffice.payments.${name}`, {
    principal: principal({ type: 'BACK_OFFICE', clientId: fixture.client.clientId }),
    restaurant: fixture.merchant,
    params: { paymentUuid },
    ...(body && { body }),
    nowMs: fixture.clock.nowMs(),
  });
}

test('backOffice.payments.tip 200 PAY-17 PAY-I4: the capture takes the last tip', async () => {
  const life = await applied();
  const put = await life.put();
  await call(life, 'tip', { tipAmount: 0.5 });
  assert.deepEqual(await life.put(), put, 'PAY-I6: what the PUT was answered stays');
  await life.fulfil();
  const { dueAt, captureAt } = await life.row();
  const { body } = await call(life, 'tip', { tipAmount: 1.25 });
  const { tipAmount, authorizedAmount, capturedAmount } = body as BackOfficePayment;
  assert.deepEqual([tipAmount, authorizedAmount, capturedAmount], [1.25, 12.5, null]);
  assert.deepEqual(
    [(await life.row()).dueAt, (await life.row()).captureAt],
    [dueAt, captureAt],
    'it is captured when it was to be',
  );
  await life.advance(Number(captureAt) - fixture.clock.nowMs());
  const { state, capturedMinor } = await life.row();
  assert.deepEqual([state, capturedMinor], ['CAPTURED', 1175]);
  const hold = await holdOf(life);
  assert.deepEqual([hold?.state, hold?.capturedMinor], ['CAPTURED', 1175], 'PAY-I8');
  const events = (await call(life, 'events')).body as PaymentEvent[];
  assert.deepEqual(
    events.slice(2).map(({ cause, toState, details }) => [cause, toState, details?.tipMinor]),
    [
      ['appliedToCheck', 'APPLIED', undefined],
      ['tipChanged', 'APPLIED', 50],
      ['orderFulfilled', 'CAPTURE_SCHEDULED', undefined],
      ['tipChanged', 'CAPTURE_SCHEDULED', 125],
      ['captureTimeReached', 'CAPTURE_PENDING', undefined],
      ['captureAcknowledged', 'CAPTURED', undefined],
    ],
  );
});

test('backOffice.payments.tip 200 PAY-17: the same tip again changes nothing', async () => {
  const life = await applied();
  const { version } = await life.row();
  assert.equal((await life.tip(200)).version, version, 'it is the authorized one');
  assert.equal((await life.tip(0)).version, version + 1);
  assert.equal((await life.tip(0)).version, version + 1);
  assert.equal((await life.tip(200)).version, version + 2, 'up again to what was authorized');
  await life.fulfil();
  const captured = await life.capture();
  assert.equal(captured.capturedMinor, 1250);
  assert.equal((await life.tip(200)).version, captured.version);
});

test('backOffice.payments.tip 409 PAY-17: only until the capture begins', async () => {
  const early = beginLife(fixture);
  await early.put();
  await assert.rejects(early.tip(100), /AUTHORIZED, so tip is not possible.*apply, void/);
  const life = await applied();
  await life.fulfil();
  life.script('capture', unknown);
  assert.equal((await life.capture()).state, 'CAPTURE_PENDING');
  await assert.rejects(life.tip(100), /CAPTURE_PENDING.*No move is legal now/);
  const voided = await applied();
  await voided.tip(100);
  await voided.void();
  await assert.rejects(voided.tip(100), /VOIDED/);
  assert.equal((await holdOf(voided))?.state, 'VOIDED', 'the whole hold is released');
});

test('backOffice.payments.tip 422 PAY-17: a tip that was not authorized', async () => {
  const life = await applied();
  for (const [tipAmount, words] of [
    [2.01, /^tipAmount must be at most 2: no more was authorized\.$/],
    [0.005, /^tipAmount must have at most 2 decimals/],
    [-1, /tipAmount/],
  ] as const) {
    const { status, body } = await call(life, 'tip', { tipAmount });
    assert.equal(status, 422);
    assert.match((body as { message: string }).message, words);
  }
  const onlyTip = beginLife(fixture);
  const body = await fixture.body({ amount: 0 });
  await fixture.put({ paymentUuid: onlyTip.key.paymentUuid, body });
  await onlyTip.apply();
  const { status, body: refusal } = await call(onlyTip, 'tip', { tipAmount: 0 });
  assert.equal(status, 422);
  assert.match((refusal as { message: string }).message, /because the amount is 0: void/);
  const missing = beginLife(fixture);
  assert.equal((await call(missing, 'tip', { tipAmount: 1 })).status, 404);
});

test('backOffice.payments.tip PAY-I4: the database refuses more than was authorized', async () => {
  const { sql } = fixture.database;
  const life = await applied();
  const refused = (work: Promise<unknown>) =>
    assert.rejects(work, (error) => isSqlState(error, CHECK));
  await refused(life.tip(201));
  await refused(life.tip(-1));
  const captured = await applied();
  await captured.tip(50);
  await captured.fulfil();
  await captured.capture();
  await refused(updateMoneyAlone(sql, captured.key, { capturedMinor: 1250 }));
  const unapplied = beginLife(fixture);
  await unapplied.put();
  await refused(updateMoneyAlone(sql, unapplied.key, { changedTipMinor: 100 }));
});

test('settle PAY-17 PAY-I1: a lost capture is judged by the sum that was asked for', async () => {
  for (const [answered, state] of [
    [1100, 'CAPTURED'],
    [1250, 'REVIEW'],
  ] as const) {
    const life = await applied();
    await life.tip(50);
    await life.fulfil();
    life.script('capture', unknown);
    await life.capture();
    const { currencyCode, authorizationCode } = await life.row();
    life.script('inquire', {
      ...{ outcome: 'approved', amountMinor: answered, currencyCode, reference: null },
      authorizationCode: String(authorizationCode),
    });
    await life.advance(1_000);
    assert.equal(await life.state(), state);
    const alarms = await listAlarms(fixture.database.sql, life.key);
    assert.deepEqual(
      alarms.map(({ kind }) => kind),
      state === 'REVIEW' ? ['CAPTURE_MISMATCH'] : [],
    );
  }
});

test('backOffice.payments.tip PAY-17 PAY-I4: of a tip and a capture at once, both are whole', async () => {
  for (let round = 0; round < 10; round += 1) {
    const life = await applied();
    await life.fulfil();
    const [tip] = await Promise.allSettled([life.tip(50), life.capture()]);
    const { state, capturedMinor } = await life.row();
    const taken = tip.status === 'fulfilled' ? 1100 : 1250;
    assert.deepEqual([state, capturedMinor], ['CAPTURED', taken]);
    assert.equal((await holdOf(life))?.capturedMinor, taken);
  }
});

test('changeTipWithin PAY-17: it is part of the caller’s transaction, or nothing', async () => {
  const { database, clock } = fixture;
  const life = await applied();
  const before = await life.row();
  const change = (payment: typeof before, tipMinor: number, isKept = true) =>
    database.transaction(async (sql) => {
      const changed = await changeTipWithin(sql, payment, tipMinor, 'orders', clock.nowMs(), []);
      if (!isKept) throw new Error('the order is refused');
      return changed;
    });
  await assert.rejects(change(before, 100, false), /the order is refused/);
  assert.deepEqual(await life.row(), before);
  const changed = await change(before, 100);
  assert.deepEqual(changed, await life.row());
  assert.equal(changed?.changedTipMinor, 100);
  assert.equal(await change(before, 50), null, 'somebody else moved the payment');
  assert.equal((await change(await life.row(), 100))?.version, changed?.version, 'a repeat');
  await life.void();
  await assert.rejects(change(await life.row(), 50), { errorClass: 'conflict' });
});
