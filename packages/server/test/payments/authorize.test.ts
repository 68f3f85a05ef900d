import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { OPENED_MS, openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { findDeadlines, listAttempts, listEvents } from './fixture-store.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

test('creditCards.authorize 200 PAY-I2: AUTHORIZED is stored when it is answered', async () => {
  const paymentUuid = newRandomId();
  const { body } = await fixture.put({ paymentUuid });
  assert.equal(body.paymentState, 'AUTHORIZED');
  const { sql } = fixture.database;
  assert.deepEqual(await listEvents(sql, fixture.merchant.guid, paymentUuid), [
    { version: 1, from: 'NEW', cause: 'submitted', to: 'PENDING', attempt: 1 },
    { version: 2, from: 'PENDING', cause: 'approved', to: 'AUTHORIZED', attempt: 1 },
  ]);
  const [attempt] = await listAttempts(sql, fixture.merchant.guid, paymentUuid);
  assert.equal(attempt?.outcome, 'APPROVED');
  assert.match(attempt?.processorKey ?? '', /^auth:[0-9a-f-]{36}:1$/);
});

test('creditCards.authorize 200 PAY-I3: five minutes to apply, seven days to capture', async () => {
  const paymentUuid = newRandomId();
  await fixture.put({ paymentUuid });
  const applyDeadline = new Date(OPENED_MS + 300_000);
  assert.deepEqual(await findDeadlines(fixture.database.sql, fixture.merchant.guid, paymentUuid), {
    applyDeadline,
    captureDeadline: new Date(OPENED_MS + 604_800_000),
    dueAt: applyDeadline,
  });
});

test('creditCards.authorize 200 PAY-6: the processor is asked for minor units', async () => {
  await fixture.put({ body: await fixture.body({ amount: 0.1 + 0.2, tipAmount: 19.99 }) });
  assert.equal(fixture.processor.ledger().at(-1)?.amountMinor, 2029);
});

test('creditCards.authorize 200 PAY-9: the case of a paymentUuid is ignored', async () => {
  const paymentUuid = '00000000-0000-0000-0000-00000000abcd';
  const first = await fixture.put({ paymentUuid });
  const second = await fixture.put({ paymentUuid: paymentUuid.toUpperCase() });
  assert.equal(first.body.paymentState, 'AUTHORIZED');
  assert.equal(second.text, first.text);
});

test('creditCards.authorize 200 PAY-10: the guest identifier 0 is denied', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  const body = await fixture.body({ metadata: { guestIdentifier: '0' } });
  const answer = await fixture.put({ paymentUuid, body });
  assert.equal(answer.body.paymentState, 'DENIED');
  assert.equal(answer.body.denialReason, 'The card was declined. Please use another card.');
  assert.equal(fixture.processor.ledger().length, held);
  assert.deepEqual(await listEvents(fixture.database.sql, fixture.merchant.guid, paymentUuid), [
    { version: 1, from: 'NEW', cause: 'riskRefused', to: 'DENIED', attempt: 0 },
  ]);
  assert.equal((await fixture.put({ paymentUuid, body })).text, answer.text, 'PAY-7, PAY-I6');
});

test('creditCards.authorize 422 PAY-10: the clock of the environment counts', async () => {
  const body = await fixture.body({
    metadata: { localTransactionDate: '2026-03-01T18:35:00.001Z' },
  });
  const early = await fixture.put({ body });
  assert.equal(early.status, 422);
  assert.match(early.body.detail, /localTransactionDate: must not be over five minutes/);
  fixture.clock.advance(1);
  assert.equal((await fixture.put({ body })).status, 200);
});

test('creditCards.authorize 200 API-9: unknown properties are ignored', async () => {
  const body = await fixture.body({ fields: { colour: 'red' }, metadata: { size: 3 } });
  assert.equal((await fixture.put({ body })).status, 200);
});

test('creditCards.authorize 200: null stands for an optional field that is absent', async () => {
  const metadata = { deliveryAddress: null, userAgent: null, guestEmail: null, appName: null };
  const { status } = await fixture.put({ body: await fixture.body({ metadata }) });
  assert.equal(status, 200);
});
