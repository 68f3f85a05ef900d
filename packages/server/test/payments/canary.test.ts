import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { newRandomId } from '@servery/support/ids.ts';
import { cardNumberOf } from './card-number.ts';
import { openPaymentFixture, type PaymentFixture, type PutAnswer } from './fixture.ts';
import { findGuest, readAllText } from './fixture-store.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

/** A number of sixteen digits that passes the Luhn check and that no other test has. */
const canaryNumber = (nth: number) => cardNumberOf('4', 91_827_364_500_000 + nth);

const cvv = 'CANARY-CVV-7731';

test('creditCards.authorize PAY-I7: no card data is stored, answered or logged', async () => {
  const answers: PutAnswer[] = [];
  const secrets: string[] = [cvv];
  const put = async (cardNumber: string, changes: object, overrides: object = {}) => {
    const body = await fixture.body({ cardNumber, clearText: { cvv, ...changes } });
    secrets.push(cardNumber, String(body.encryptedCardData));
    const uses = { body, paymentUuid: newRandomId() };
    answers.push(await fixture.put(uses, overrides));
    answers.push(await fixture.put(uses, overrides));
  };
  await put(canaryNumber(1), {});
  await put(canaryNumber(2), {}, { kind: 'production' });
  await put(
    canaryNumber(3).replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
    {},
  );
  await put(canaryNumber(4), { zipCode: '99999' });
  await put(canaryNumber(5), { country: 'nowhere' });
  for (const number of ['4000000000000002', '4000000000003063', '4000000000000341']) {
    await put(number, {});
  }
  const failing = {
    ...fixture.processor,
    authorize: async (order: { card: unknown }) => {
      throw new Error(`${inspect(order, { depth: 9 })} ${JSON.stringify(order)} ${order.card}`);
    },
  };
  await put(canaryNumber(6), {}, { processor: failing });
  const outputs = {
    tables: await readAllText(fixture.database.sql),
    answers: answers.map((answer) => answer.text).join('\n'),
    logs: fixture.logged.join('\n'),
  };
  assert.ok(outputs.tables.includes('payment_attempt') && outputs.logs.length > 0);
  for (const [place, text] of Object.entries(outputs)) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${place}`);
  }
});

test('creditCards.authorize PAY-I7: a card number in a text is taken out of it', async () => {
  const cardNumber = canaryNumber(7);
  const spaced = cardNumber.replaceAll(/(.{4})/g, '$1 ').trim();
  const paymentUuid = newRandomId();
  const metadata = {
    partnerServiceInfo: { instanceId: 'web-1', additionalInfo: `card ${spaced}, retry` },
    userAgent: cardNumber.replaceAll(/(.{4})/g, '$1-'),
    guestIdentifier: cardNumber,
    billingAddress: { postalCode: '02110', country: 'USA', name: `A ${cardNumber} B` },
  };
  const body = await fixture.body({ cardNumber, metadata });
  assert.equal((await fixture.put({ paymentUuid, body })).body.paymentState, 'AUTHORIZED');
  const guest = await findGuest(fixture.database.sql, fixture.merchant.guid, paymentUuid);
  assert.equal(guest?.additional_info, 'card [card number removed], retry');
  assert.equal(guest?.guest_identifier, '[card number removed]');
  const text = await readAllText(fixture.database.sql);
  assert.ok(!text.includes(cardNumber) && !text.includes(spaced));
  assert.equal(
    (await fixture.put({ paymentUuid, body })).status,
    200,
    'PAY-7: still the same content',
  );
});

test('creditCards.authorize PAY-14: a number spread over fields takes all of them along', async () => {
  const cardNumber = canaryNumber(9);
  const paymentUuid = newRandomId();
  const [name, phone] = [cardNumber.slice(0, 8), cardNumber.slice(8)];
  const metadata = { billingAddress: { postalCode: '02110', country: 'USA', name, phone } };
  const body = await fixture.body({ cardNumber, metadata });
  assert.equal((await fixture.put({ paymentUuid, body })).body.paymentState, 'AUTHORIZED');
  const guest = await findGuest(fixture.database.sql, fixture.merchant.guid, paymentUuid);
  assert.doesNotMatch(JSON.stringify(guest), new RegExp(`${name}|${phone}`));
});

test('creditCards.authorize 422 PAY-14: the card may not stand in what is kept as it is', async () => {
  const cardNumber = '4111111111111111';
  const localTransactionDate = '1904-11-11T11:11:11.111111111Z';
  const paymentUuid = '41111111-1111-1111-abcd-ef0123456789';
  const dated = await fixture.put({
    body: await fixture.body({ cardNumber, metadata: { localTransactionDate } }),
  });
  assert.equal(dated.status, 422);
  assert.match(dated.text, /requestMetadata.localTransactionDate must not hold the number/);
  const named = await fixture.put({ paymentUuid, body: await fixture.body({ cardNumber }) });
  assert.equal(named.status, 422);
  assert.match(named.text, /paymentUuid must not hold the number/);
  const other = await fixture.body({
    cardNumber: canaryNumber(8),
    metadata: { localTransactionDate },
  });
  assert.equal((await fixture.put({ paymentUuid, body: other })).status, 200, 'with another card');
});
