import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { nextTurn } from '@servery/support/runner.ts';
import type { Database } from '../../src/database/database.ts';
import type { Cause } from '../../src/payments/life/lifecycle.ts';
import { makeMove } from '../../src/payments/life/outcome.ts';
import { recordMove } from '../../src/payments/life/record.ts';
import { findPayment, type PaymentRow } from '../../src/payments/life/store.ts';
import { noProcessor } from '../../src/payments/processors/none.ts';
import { countWaiting } from '../database.ts';
import {
  type BodyParts,
  openPaymentFixture,
  type PaymentFixture,
  type PutAnswer,
} from './fixture.ts';
import {
  countPaymentRows,
  deleteGuest,
  findGuest,
  listAttempts,
  listEvents,
} from './fixture-store.ts';
import { until } from './processors/orders.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

async function paymentOf(paymentUuid: string): Promise<PaymentRow> {
  const key = { merchantGuid: fixture.merchant.guid, paymentUuid };
  const payment = await findPayment(fixture.database.sql, key);
  assert.ok(payment);
  return payment;
}

/** Moves a payment on as the orders side and the sweep do. */
async function moveOn(paymentUuid: string, ...causes: Cause[]): Promise<void> {
  for (const cause of causes) {
    const nowMs = fixture.clock.nowMs();
    const payment = await paymentOf(paymentUuid);
    const change = { checkGuid: newRandomId(), captureAt: new Date(nowMs) };
    const move = makeMove(cause, nowMs, { change });
    const { isOurs } = await recordMove(fixture.deps, payment, move);
    assert.ok(isOurs);
  }
}

/** A processor that counts the authorizations it is asked for. */
function countingProcessor() {
  const counter = {
    calls: 0,
    ...fixture.processor,
    authorize: (...given: Parameters<typeof fixture.processor.authorize>) => {
      counter.calls += 1;
      return fixture.processor.authorize(...given);
    },
  };
  return counter;
}

function statesOf(answers: readonly PutAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = `${status} ${body.paymentState ?? ''}`.trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('creditCards.authorize 200 PAY-7 PAY-I6: a repeat gets the same bytes, no hold', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  const first = await fixture.put({ paymentUuid });
  const second = await fixture.put({ paymentUuid });
  assert.equal(first.body.paymentState, 'AUTHORIZED');
  assert.equal(second.status, 200);
  assert.equal(second.text, first.text);
  assert.equal(fixture.processor.ledger().length, held + 1);
});

test('creditCards.authorize 200 PAY-7: a repeat of a denied payment is answered alike', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000000002' });
  const first = await fixture.put({ paymentUuid, body });
  assert.equal(first.body.paymentState, 'DENIED');
  assert.equal((await fixture.put({ paymentUuid, body })).text, first.text);
});

const BILLING = { postalCode: '02110', country: 'USA' };
const DELIVERY = { ...BILLING, address1: '1 Elm', city: 'Boston', region: 'MA' };

/** Repeats with other content, and the fields in which they differ from what was sent. */
const OTHER_CONTENT: [BodyParts, string][] = [
  [{ amount: 10.51 }, 'amount'],
  [{ tipAmount: 3 }, 'tipAmount'],
  [{ amount: 2, tipAmount: 10.5 }, 'amount, tipAmount'],
  [{ cardNumber: '4242424242424242' }, 'encryptedCardData'],
  [{ clearText: { expYear: '31' } }, 'encryptedCardData'],
  [{ fields: { willSaveCard: true } }, 'willSaveCard'],
  [{ fields: { cardNumberOrigin: 'PARTNER_VAULT' } }, 'cardNumberOrigin'],
  [{ metadata: { guestIdentifier: 'another' } }, 'requestMetadata.guestIdentifier'],
  [{ metadata: { guestEmail: 'canary@example.com' } }, 'requestMetadata.guestEmail'],
  [{ metadata: { originIPAddr: '203.0.113.99' } }, 'requestMetadata.originIPAddr'],
  [
    { metadata: { localTransactionDate: '2026-03-01T12:30:00.001-0600' } },
    'requestMetadata.localTransactionDate',
  ],
  [
    { metadata: { billingAddress: { ...BILLING, city: 'Canary' } } },
    'requestMetadata.billingAddress.city',
  ],
  [
    { metadata: { deliveryAddress: { ...DELIVERY, phone: '+13125550100' } } },
    'requestMetadata.deliveryAddress',
  ],
];

test('creditCards.authorize 409 PAY-7: other content is refused, its fields are named', async () => {
  const paymentUuid = newRandomId();
  const first = await fixture.put({ paymentUuid });
  for (const [parts, fields] of OTHER_CONTENT) {
    const body = await fixture.body(parts);
    const { status, body: error, text } = await fixture.put({ paymentUuid, body });
    assert.equal(status, 409);
    assert.match(error.description, /with other content\. These differ: (.*)\. Repeat/);
    assert.equal(/differ: (.*)\. Repeat/.exec(error.description)?.[1], fields);
    assert.doesNotMatch(text, /canary|31\b|4242|203\.0|10\.5/i, 'no value is told');
  }
  assert.equal((await fixture.put({ paymentUuid })).text, first.text);
});

test('creditCards.authorize 409 PAY-7: fields are named without the removed guest data', async () => {
  const paymentUuid = newRandomId();
  await fixture.put({ paymentUuid });
  await deleteGuest(fixture.database.sql, paymentUuid);
  const described = async (parts: BodyParts) => {
    const { status, body } = await fixture.put({ paymentUuid, body: await fixture.body(parts) });
    assert.equal(status, 409);
    return body.description as string;
  };
  const several = { tipAmount: 3, metadata: { guestEmail: 'other@example.com' } };
  assert.match(await described(several), /These differ: tipAmount\. Repeat/);
  const onlyGuest = await described({ metadata: { guestEmail: 'other@example.com' } });
  assert.match(onlyGuest, /with other content\. Repeat a payment unchanged/);
});

test('creditCards.authorize PAY-7: on a cluster, a repeat adds no rows either', async (t) => {
  t.mock.method(fixture.database.freshness, 'isOfCluster', () => true);
  const paymentUuid = newRandomId();
  const first = await fixture.put({ paymentUuid });
  assert.equal(first.body.paymentState, 'AUTHORIZED');
  const { sql } = fixture.database;
  assert.ok(await findGuest(sql, fixture.merchant.guid, paymentUuid));
  await deleteGuest(sql, paymentUuid);
  assert.equal((await fixture.put({ paymentUuid })).text, first.text);
  assert.equal((await listAttempts(sql, fixture.merchant.guid, paymentUuid)).length, 1);
  assert.equal((await listEvents(sql, fixture.merchant.guid, paymentUuid)).length, 2);
  assert.ok(!(await findGuest(sql, fixture.merchant.guid, paymentUuid)));
});

test('creditCards.authorize 409 PAY-7: on a cluster, a race with a refused one adds no rows', async (t) => {
  t.mock.method(fixture.database.freshness, 'isOfCluster', () => true);
  const paymentUuid = newRandomId();
  const isInserted = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction: Database['transaction'] = (run) =>
    fixture.database.transaction(async (sql) => {
      const rows = await run(sql);
      isInserted.resolve();
      await release.promise;
      return rows;
    });
  const refused = fixture.put(
    { paymentUuid, body: await fixture.body({ metadata: { guestIdentifier: '0' } }) },
    { database: { ...fixture.database, transaction } },
  );
  await isInserted.promise;
  const late = fixture.put({ paymentUuid });
  const { sql } = fixture.database;
  await until('it waits', async () => (await countWaiting(sql)) === 1);
  release.resolve();
  assert.equal((await refused).body.paymentState, 'DENIED');
  assert.equal((await late).status, 409);
  assert.deepEqual(await listAttempts(sql, fixture.merchant.guid, paymentUuid), []);
  assert.equal((await listEvents(sql, fixture.merchant.guid, paymentUuid)).length, 1);
});

test('creditCards.authorize 409 PAY-7: a payment changed since is refused', async () => {
  const voided = newRandomId();
  await fixture.put({ paymentUuid: voided });
  await moveOn(voided, 'voidedOnPointOfSale');
  assert.equal((await fixture.put({ paymentUuid: voided })).status, 409);
  await moveOn(voided, 'voidAcknowledged');
  assert.match((await fixture.put({ paymentUuid: voided })).body.description, /changed since/);
  const fulfilled = newRandomId();
  const first = await fixture.put({ paymentUuid: fulfilled });
  await moveOn(fulfilled, 'appliedToCheck');
  const applied = await fixture.put({ paymentUuid: fulfilled });
  assert.equal(applied.text, first.text, 'an applied payment is still AUTHORIZED');
  await moveOn(fulfilled, 'orderFulfilled');
  assert.equal((await fixture.put({ paymentUuid: fulfilled })).status, 409);
});

test('creditCards.authorize 503 PAY-7: without a processor nothing new is recorded', async () => {
  const known = newRandomId();
  const first = await fixture.put({ paymentUuid: known });
  const absent = { processor: noProcessor() };
  const rows = await countPaymentRows(fixture.database.sql);
  const paymentUuid = newRandomId();
  for (const mode of ['replay', 'conflict'] as const) {
    const refused = await fixture.put({ paymentUuid }, { ...absent, repeat: mode });
    assert.equal(refused.status, 503);
    assert.match(refused.body.message, /^No card processor is configured .* no funds are held/);
    assert.doesNotMatch(refused.text, /safe to repeat/);
  }
  assert.equal(await countPaymentRows(fixture.database.sql), rows);
  // What is known is answered as ever.
  assert.equal((await fixture.put({ paymentUuid: known }, absent)).text, first.text);
  const other = await fixture.put(
    { paymentUuid: known, body: await fixture.body({ amount: 9 }) },
    absent,
  );
  assert.equal(other.status, 409);
  assert.equal((await fixture.put({ paymentUuid })).body.paymentState, 'AUTHORIZED', 'it is free');
});

test('creditCards.authorize 503: an aborted payment waits for a processor too', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000003220' });
  assert.equal((await fixture.put({ paymentUuid, body })).status, 500);
  const absent = { processor: noProcessor() };
  assert.equal((await fixture.put({ paymentUuid, body }, absent)).status, 503);
  assert.equal((await paymentOf(paymentUuid)).attempt, 1);
  assert.equal((await fixture.put({ paymentUuid, body })).body.paymentState, 'AUTHORIZED');
});

test('creditCards.authorize 500 PAY-7: what was not processed is tried again', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000003220' });
  const first = await fixture.put({ paymentUuid, body });
  assert.equal(first.status, 500);
  assert.match(first.body.description, /safe to repeat/);
  // Nothing was authorized, so the mode that refuses repeats does not refuse this one.
  const second = await fixture.put({ paymentUuid, body }, { repeat: 'conflict' });
  assert.equal(second.body.paymentState, 'AUTHORIZED');
  assert.equal((await fixture.put({ paymentUuid, body })).text, second.text);
  const { sql } = fixture.database;
  assert.deepEqual(
    (await listEvents(sql, fixture.merchant.guid, paymentUuid)).map(({ cause, attempt }) => [
      cause,
      attempt,
    ]),
    [
      ['submitted', 1],
      ['notProcessed', 1],
      ['submittedAgain', 2],
      ['approved', 2],
    ],
  );
  const attempts = await listAttempts(sql, fixture.merchant.guid, paymentUuid);
  assert.deepEqual(
    attempts.map(({ processorKey, outcome }) => [processorKey.split(':')[2], outcome]),
    [
      ['1', 'NOT_PROCESSED'],
      ['2', 'APPROVED'],
    ],
  );
});

test('creditCards.authorize 409 PAY-7: ABORTED does not free the paymentUuid', async () => {
  const paymentUuid = newRandomId();
  const cardNumber = '4000000000003063';
  const aborted = await fixture.put({ paymentUuid, body: await fixture.body({ cardNumber }) });
  assert.equal(aborted.status, 500);
  const other = await fixture.put({
    paymentUuid,
    body: await fixture.body({ cardNumber, amount: 11 }),
  });
  assert.equal(other.status, 409);
});

test('creditCards.authorize 200 PAY-7 PAY-8: a repeat in flight is ACKNOWLEDGED', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000000077' });
  const first = fixture.put({ paymentUuid, body });
  const isInFlight = () => fixture.timer.waits(3_000) === 1;
  while (!isInFlight()) await nextTurn();
  const second = await fixture.put({ paymentUuid, body });
  assert.equal(second.status, 200);
  assert.equal(second.body.paymentState, 'ACKNOWLEDGED');
  assert.equal(second.body.authorizationMetadata, null);
  assert.equal(second.body.amount, 10.5);
  assert.equal(fixture.timer.fire(3_000), 1);
  const settled = await first;
  assert.equal(settled.body.paymentState, 'AUTHORIZED');
  assert.equal((await fixture.put({ paymentUuid, body })).text, settled.text);
});

test('creditCards.authorize 200 PAY-I1: 64 identical PUTs at once make one hold', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  const bodies = await Promise.all(Array.from({ length: 64 }, () => fixture.body()));
  const processor = countingProcessor();
  const answers = await Promise.all(
    bodies.map((body) => fixture.put({ paymentUuid, body }, { processor })),
  );
  assert.equal(processor.calls, 1);
  const states = statesOf(answers);
  const { '200 AUTHORIZED': authorized = 0, '200 ACKNOWLEDGED': acknowledged = 0 } = states;
  assert.ok(authorized >= 1);
  assert.equal(authorized + acknowledged, 64, JSON.stringify(states));
  assert.equal(fixture.processor.ledger().length, held + 1);
  const texts = new Set(answers.map((answer) => answer.text));
  assert.equal(texts.size, acknowledged > 0 ? 2 : 1, 'PAY-I6: one body per state');
  assert.equal(
    (await listEvents(fixture.database.sql, fixture.merchant.guid, paymentUuid)).length,
    2,
  );
});

test('creditCards.authorize 409 PAY-I1: 64 different PUTs at once make one hold', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  const bodies = await Promise.all(
    Array.from({ length: 64 }, (_, index) => fixture.body({ amount: index + 1 })),
  );
  const answers = await Promise.all(bodies.map((body) => fixture.put({ paymentUuid, body })));
  assert.deepEqual(statesOf(answers), { '200 AUTHORIZED': 1, '409': 63 });
  assert.equal(fixture.processor.ledger().length, held + 1);
});

test('creditCards.authorize 200 PAY-I1: 64 repeats at once make one new attempt', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000003220' });
  assert.equal((await fixture.put({ paymentUuid, body })).status, 500);
  const held = fixture.processor.ledger().length;
  const processor = countingProcessor();
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => fixture.put({ paymentUuid, body }, { processor })),
  );
  assert.equal(processor.calls, 1);
  const { '200 AUTHORIZED': authorized = 0, '200 ACKNOWLEDGED': acknowledged = 0 } =
    statesOf(answers);
  assert.equal(authorized + acknowledged, 64);
  assert.equal(fixture.processor.ledger().length, held + 1);
  const attempts = await listAttempts(fixture.database.sql, fixture.merchant.guid, paymentUuid);
  assert.equal(attempts.length, 2);
});

test('creditCards.authorize 409 PAY-7: another client learns nothing', async () => {
  const paymentUuid = newRandomId();
  await fixture.put({ paymentUuid });
  const principal = await fixture.addClient();
  const key = await fixture.addKey(principal.clientId);
  const { status, body } = await fixture.put({
    ...{ paymentUuid, principal },
    body: await fixture.body({ key }),
  });
  assert.equal(status, 409);
  assert.equal(
    body.description,
    'This paymentUuid was used before. Generate a unique one for each payment.',
  );
});
