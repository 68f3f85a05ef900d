import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ALREADY_CAPTURED, type ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listAlarms, listAttempts } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'scripted silence' };
const notFound: ProcessorAnswer = { outcome: 'notFound', explanation: 'scripted: not known' };
const approval: ProcessorAnswer = {
  outcome: 'approved',
  authorizationCode: '123456',
  amountMinor: 1250,
  currencyCode: 'USD',
  reference: 'scripted',
};

/** A payment whose attempt was not found: it may be tried again. */
async function aborted(): Promise<Life> {
  const life = beginLife(fixture);
  life.script('authorize', unknown);
  await life.put();
  life.script('inquire', notFound);
  await life.advance(20_000);
  assert.equal(await life.state(), 'ABORTED');
  return life;
}

const attemptsOf = async ({ key }: Life) =>
  (await listAttempts(fixture.database.sql, key.merchantGuid, key.paymentUuid)).map(
    ({ outcome }) => outcome,
  );

test('creditCards.authorize PAY-I8: a late approval of an aborted payment is reversed', async () => {
  const life = await aborted();
  life.script('inquire', approval);
  life.script('void', approval);
  await life.advance(MINUTE_MS);
  assert.deepEqual((await life.causes()).slice(2), [
    'inquiryNotFound',
    'lateApproval',
    'reversalAcknowledged',
  ]);
  const { paymentId } = await life.row();
  assert.equal(life.calls.at(-1), `void reversal:${paymentId}:1`);
  assert.equal((await life.put()).paymentState, 'DENIED');
});

test('creditCards.authorize PAY-I8: a wrong "not processed" is found out later', async () => {
  const life = beginLife(fixture);
  life.script('authorize', { outcome: 'notProcessed', explanation: 'scripted' });
  assert.equal((await life.put()).status, 500);
  life.script('inquire', approval);
  life.script('void', approval);
  await life.advance(MINUTE_MS);
  const causes = await life.causes();
  assert.deepEqual(causes.slice(1), ['notProcessed', 'lateApproval', 'reversalAcknowledged']);
});

test('creditCards.authorize PAY-I8: what never left this process is not asked about', async () => {
  const life = beginLife(fixture);
  life.script('authorize', { outcome: 'notProcessed', isUnsent: true, explanation: 'scripted' });
  assert.equal((await life.put()).status, 500);
  await life.advance(2 * 24 * HOUR_MS);
  assert.deepEqual(
    life.calls.filter((call) => call.startsWith('inquire')),
    [],
  );
});

test('creditCards.authorize PAY-I1: a late hold that was captured is for a person', async () => {
  const life = await aborted();
  await life.put();
  life.script('inquire', approval);
  life.script('void', { outcome: 'declined', responseCode: ALREADY_CAPTURED });
  await life.advance(MINUTE_MS);
  const [alarm] = await listAlarms(fixture.database.sql, life.key);
  assert.equal(alarm?.kind, 'FOUND_CAPTURED');
});

test('creditCards.authorize PAY-I1: a late approval beside a newer attempt is given up', async () => {
  const life = await aborted();
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  await life.apply();
  const before = await life.row();
  life.script('inquire', approval);
  life.script('void', unknown, approval);
  await life.advance(MINUTE_MS);
  assert.deepEqual(await attemptsOf(life), ['NOT_FOUND', 'APPROVED'], 'tried again soon');
  life.script('inquire', approval);
  await life.advance(MINUTE_MS);
  assert.deepEqual(await attemptsOf(life), ['REVERSED', 'APPROVED']);
  assert.deepEqual(await life.row(), before, 'the payment stays as it is');
  const voids = life.calls.filter((call) => call.startsWith('void'));
  assert.deepEqual(new Set(voids), new Set([`void reversal:${before.paymentId}:1`]));
});

test('creditCards.authorize PAY-I1: a late hold that cannot be given up raises an alarm', async () => {
  const life = await aborted();
  await life.put();
  await life.apply();
  life.script('inquire', approval);
  life.script('void', { outcome: 'declined', responseCode: '12' });
  await life.advance(MINUTE_MS);
  const alarms = await listAlarms(fixture.database.sql, life.key);
  assert.deepEqual(
    alarms.map(({ kind }) => kind),
    ['STRAY_HOLD'],
  );
  assert.equal(await life.state(), 'APPLIED');
});

test('creditCards.authorize PAY-I8: a late hold that is not known then alarms', async () => {
  const life = await aborted();
  for (let round = 0; round < 8; round += 1) {
    life.script('inquire', approval);
    life.script('void', notFound);
    await life.advance(24 * HOUR_MS);
  }
  assert.equal(await life.state(), 'REVERSED');
  assert.ok((await life.row()).version < 15, 'it is not reversed for ever');
  const alarms = await listAlarms(fixture.database.sql, life.key);
  assert.deepEqual(
    alarms.map(({ kind }) => kind),
    ['HOLD_MISSING'],
  );
  assert.equal(await createPaymentSweep(life.deps).nextDueMs(), null);
});

test('creditCards.authorize PAY-I1: a late hold beside another that then is not known', async () => {
  const life = await aborted();
  await life.put();
  await life.apply();
  for (let round = 0; round < 5; round += 1) {
    life.script('inquire', approval);
    life.script('void', notFound);
    await life.advance(24 * HOUR_MS);
  }
  const alarms = await listAlarms(fixture.database.sql, life.key);
  assert.deepEqual(
    alarms.map(({ kind }) => kind),
    ['HOLD_MISSING'],
  );
});

test('creditCards.authorize PAY-I8: questions that get no answer are told of in the end', async () => {
  const life = await aborted();
  life.script('inquire', ...Array<ProcessorAnswer>(12).fill(unknown));
  await life.advance(MINUTE_MS);
  for (let tries = 0; tries < 9; tries += 1) await life.advance(5 * MINUTE_MS);
  const alarms = await listAlarms(fixture.database.sql, life.key);
  assert.deepEqual(
    alarms.map(({ kind }) => kind),
    ['UNSETTLED'],
  );
});

test('creditCards.authorize 200 PAY-I6: a denied payment stays so while reversed', async () => {
  const life = await aborted();
  life.script('inquire', approval);
  life.script('void', notFound);
  await life.advance(MINUTE_MS);
  assert.equal((await life.put()).paymentState, 'DENIED');
  life.script('inquire', approval);
  life.script('void', unknown);
  await life.advance(9 * MINUTE_MS);
  assert.equal(await life.state(), 'REVERSAL_PENDING');
  assert.equal((await life.put()).paymentState, 'DENIED');
});

test('creditCards.authorize PAY-I8: what was reversed unfound is asked about too', async () => {
  const life = beginLife(fixture);
  life.script('authorize', unknown);
  await life.put();
  life.script('inquire', ...Array<ProcessorAnswer>(20).fill(unknown));
  life.script('void', notFound);
  for (let second = 0; second <= 60; second += 1) await life.advance(1_000);
  assert.equal(await life.state(), 'REVERSED');
  life.script('inquire', approval);
  life.script('void', approval);
  await life.advance(MINUTE_MS);
  assert.deepEqual((await life.causes()).slice(-2), ['lateApproval', 'reversalAcknowledged']);
  assert.deepEqual(await attemptsOf(life), ['REVERSED']);
});

test('creditCards.authorize PAY-I8: an attempt is asked about four times over a day', async () => {
  const life = await aborted();
  const { nextDueMs } = createPaymentSweep(life.deps);
  const inquiries = () => life.calls.filter((call) => call.startsWith('inquire')).length;
  const begun = inquiries();
  life.script('inquire', notFound, unknown, notFound, notFound, notFound);
  for (const waitMs of [MINUTE_MS, 9 * MINUTE_MS, MINUTE_MS, 50 * MINUTE_MS, 24 * HOUR_MS]) {
    await life.advance(waitMs);
  }
  assert.equal(inquiries() - begun, 5, 'the one without an answer did not count');
  await life.advance(1_000 * HOUR_MS);
  assert.equal(inquiries() - begun, 5);
  assert.equal(await nextDueMs(), null);
});
