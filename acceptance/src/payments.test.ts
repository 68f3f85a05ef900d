import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import {
  authorize,
  cardWithOutcome,
  type PaymentBody,
  type PaymentChanges,
  paymentBody,
} from './payment.ts';
import { platformUnderTest } from './platform.ts';
import { messageOf } from './values.ts';

interface Status {
  paymentState: string;
  authorizationMetadata: Record<string, string> | null;
  amount: number;
  tipAmount: number;
  denialReason: string | null;
  error: string | null;
}

const platform = await platformUnderTest();
const { demo } = platform;
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const [merchant] = openRestaurants(demo);

/** Pays with a body that `damage` may change and gives the answer of this status. */
async function pay(
  status: number,
  damage: (body: PaymentBody) => void = () => undefined,
  changes: PaymentChanges = {},
) {
  const body = await paymentBody(demo, changes);
  damage(body);
  return authorize(partner, status, merchant, body);
}

async function outcome(changes: PaymentChanges): Promise<Status> {
  return (await pay(200, undefined, changes)).json as Status;
}

/** The detail of a ServiceError, which a sandbox fills with every violation (PAY-11). */
const detailOf = (answer: { json: unknown }) =>
  String((answer.json as { detail?: string | null }).detail);

test('creditCards.authorize 200: an authorized payment carries what a receipt needs', async () => {
  const card = cardWithOutcome(demo, 'AUTHORIZED');
  const body = await paymentBody(demo, { card, amount: 10.5, tipAmount: 1.5 });
  const answer = (await authorize(partner, 200, merchant, body)).json as Status;
  const { authorizationMetadata, ...rest } = answer;
  assert.deepEqual(rest, {
    paymentState: 'AUTHORIZED',
    amount: 10.5,
    tipAmount: 1.5,
    denialReason: null,
    error: null,
  });
  assert.equal(authorizationMetadata?.last4, card.cardNumber.slice(-4));
  assert.equal(authorizationMetadata?.cardBrand, card.brand);
  assert.ok(String(authorizationMetadata?.authorizationCode).length > 0);
});

test('creditCards.authorize 200 PAY-10: localTransactionDate is echoed byte for byte', async () => {
  const moments = ['2025-01-15T18:30:00.000Z', '2025-01-15T13:30:00-05:00', '2024-02-29T23:59:59Z'];
  for (const moment of [...moments, '2025-01-15T18:30:00.120+00:00']) {
    const answer = await pay(200, (body) => {
      body.requestMetadata.localTransactionDate = moment;
    });
    const { authorizationMetadata } = answer.json as Status;
    assert.equal(authorizationMetadata?.localTransactionDate, moment);
  }
});

test('creditCards.authorize 200 PAY-5: DENIED has a reason and no metadata', async () => {
  const denied = demo.testCards.filter((card) => card.outcome === 'DENIED');
  assert.ok(denied.length > 0);
  for (const card of denied.slice(0, 12)) {
    const answer = await outcome({ card });
    assert.equal(answer.paymentState, 'DENIED', card.name);
    assert.equal(answer.authorizationMetadata, null);
    assert.ok(answer.denialReason && answer.denialReason.length > 5);
    if (card.denialReason) assert.equal(answer.denialReason, card.denialReason);
    assert.deepEqual([answer.amount, answer.tipAmount], [10.5, 1.5]);
    assert.doesNotMatch(answer.denialReason, /fraud|cvv|security code|stolen|lost/i);
  }
});

test('creditCards.authorize 200 PAY-8: an outcome that is not known yet is ACKNOWLEDGED', async () => {
  const card = demo.testCards.find(
    ({ outcome, name }) => outcome === 'ACKNOWLEDGED' && /lost at once/i.test(name),
  );
  assert.ok(card, 'a test card whose outcome is not known at once');
  const answer = await outcome({ card });
  assert.equal(answer.paymentState, 'ACKNOWLEDGED');
  assert.equal(answer.authorizationMetadata, null);
  assert.equal(answer.denialReason, null);
});

test('creditCards.authorize 400 422 PAY-5: unparsable JSON, and bodies of a wrong type', async () => {
  const put = (status: number, bytes: string) =>
    partner.call('creditCards.authorize', status, {
      params: { merchantUuid: merchant, paymentUuid: randomUUID() },
      restaurant: merchant,
      bytes,
    });
  for (const bytes of ['', '{', '{"amount":}', 'amount=1', '{}{}']) await put(400, bytes);
  for (const bytes of ['null', '[]', '"x"', '7']) await put(422, bytes);
});

const requiredFields = [
  'cardNumberOrigin',
  'willSaveCard',
  'encryptedCardData',
  'amount',
  'tipAmount',
  'requestMetadata',
  'keyId',
];
const requiredMetadata = [
  'partnerServiceInfo',
  'localTransactionDate',
  'originIPAddr',
  'cardFirst6',
  'cardLast4',
  'billingAddress',
  'guestIdentifier',
];

test('creditCards.authorize 400 PAY-5 PAY-3: each missing required field is named', async () => {
  for (const field of requiredFields) {
    // This one has a declared default, so that it alone may be left out or refused.
    if (field === 'cardNumberOrigin') continue;
    const answer = await pay(400, (body) => delete body[field]);
    assert.match(messageOf(answer) + detailOf(answer), new RegExp(field));
  }
  for (const field of requiredMetadata) {
    const answer = await pay(400, (body) => delete body.requestMetadata[field]);
    assert.match(messageOf(answer) + detailOf(answer), new RegExp(field));
  }
  for (const field of ['postalCode', 'country']) {
    await pay(400, (body) => delete body.requestMetadata.billingAddress[field]);
  }
  await pay(400, (body) => delete body.requestMetadata.partnerServiceInfo.instanceId);
});

test('creditCards.authorize 400: a delivery address has required fields of its own', async () => {
  const whole = { address1: '1 Main St', city: 'Boston', region: 'MA' };
  const address = { ...whole, postalCode: '02110', country: 'USA' };
  await pay(200, (body) => {
    body.requestMetadata.deliveryAddress = { ...address, name: 'A', phone: 'not E.164' };
  });
  for (const field of Object.keys(address)) {
    await pay(400, (body) => {
      body.requestMetadata.deliveryAddress = { ...address, [field]: undefined };
    });
  }
});

test('creditCards.authorize 422 PAY-5: a wrong type of any field', async () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['cardNumberOrigin', 7],
    ['willSaveCard', 'true'],
    ['willSaveCard', 1],
    ['encryptedCardData', 7],
    ['encryptedCardData', []],
    ['amount', '10.00'],
    ['amount', true],
    ['tipAmount', {}],
    ['keyId', 7],
    ['requestMetadata', 'text'],
    ['requestMetadata', []],
  ];
  for (const [field, value] of wrong) {
    await pay(422, (body) => Object.assign(body, { [field]: value }));
  }
  for (const field of requiredMetadata) {
    await pay(422, (body) => Object.assign(body.requestMetadata, { [field]: 7 }));
  }
  for (const field of ['userAgent', 'guestEmail', 'appName', 'appVersion']) {
    await pay(422, (body) => Object.assign(body.requestMetadata, { [field]: { a: 1 } }));
  }
});

test('creditCards.authorize 422 PAY-5: cardNumberOrigin is one of two words', async () => {
  for (const origin of ['', 'end_user', 'VAULT', 'END_USER ']) {
    await pay(422, (body) => Object.assign(body, { cardNumberOrigin: origin }));
  }
  for (const origin of ['END_USER', 'PARTNER_VAULT']) {
    await pay(200, (body) => Object.assign(body, { cardNumberOrigin: origin }));
  }
});

test('creditCards.authorize 422 PAY-5: amounts are not negative and not zero together', async () => {
  for (const [amount, tipAmount] of [
    [-0.01, 1],
    [10, -0.01],
    [0, 0],
    [-1, -1],
    [-0, 0],
  ]) {
    await pay(422, undefined, { amount, tipAmount });
  }
  for (const [amount, tipAmount] of [
    [0, 0.01],
    [0.01, 0],
    [1999.99, 0],
  ] as const) {
    const answer = await outcome({ amount, tipAmount });
    assert.deepEqual([answer.amount, answer.tipAmount], [amount, tipAmount]);
  }
});

test('creditCards.authorize 200 422 PAY-6: amounts are whole minor units', async () => {
  for (const amount of [0.1, 0.29, 1.1, 4.35, 1.005e2, 8.03, 64.1, 9_999.99, 0.1 + 0.2]) {
    const answer = await outcome({ amount, tipAmount: 0.07 });
    assert.equal(answer.amount, Math.round(amount * 100) / 100);
    assert.equal(answer.tipAmount, 0.07);
  }
  for (const amount of [0.001, 10.005, 1.234, 0.00001]) {
    await pay(422, undefined, { amount, tipAmount: 1 });
    await pay(422, undefined, { amount: 1, tipAmount: amount });
  }
});

test('creditCards.authorize 200 422 PAY-6: the currency decides the minor unit', async () => {
  const { currencyCode } = demo.restaurants.find(({ guid }) => guid === merchant) ?? {};
  for (const restaurant of demo.restaurants.filter(({ archived }) => !archived)) {
    const digits = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: restaurant.currencyCode,
    }).resolvedOptions().maximumFractionDigits;
    const smallest = 1 / 10 ** Number(digits);
    const fits = await paymentBody(demo, { amount: smallest, tipAmount: smallest });
    await authorize(partner, 200, restaurant.guid, fits);
    const between = await paymentBody(demo, { amount: smallest / 2, tipAmount: smallest });
    await authorize(partner, 422, restaurant.guid, between);
  }
  assert.ok(currencyCode);
});

test('creditCards.authorize 400 PAY-9: paymentUuid is a UUID of any version', async () => {
  const body = await paymentBody(demo);
  const bad = [
    'x',
    '1',
    '7d0c8f5a6c1e4f0b9a532f4f6c1b9e77',
    'not-a-uuid-at-all',
    `${randomUUID()}0`,
  ];
  for (const uuid of bad) await authorize(partner, 400, merchant, body, uuid);
  const v1 = `2ed6657d-e927-11${randomUUID().slice(2, 4)}-95e1-${randomUUID().slice(-12)}`;
  const v9 = `2ed6657d-e927-91aa-95e1-${randomUUID().slice(-12)}`;
  for (const uuid of [v1, v9, randomUUID().toUpperCase()]) {
    await authorize(partner, 200, merchant, body, uuid);
  }
});

test('creditCards.authorize 422 200 PAY-10: localTransactionDate, 5 minutes ahead', async () => {
  const { headers } = await callers.anonymous().call('health.live', 200);
  const now = Date.parse(String(headers.date));
  const ahead = (minutes: number) => (body: PaymentBody) => {
    const moment = new Date(now + minutes * 60_000).toISOString();
    body.requestMetadata.localTransactionDate = moment;
  };
  await pay(200, ahead(4));
  await pay(422, ahead(7));
  for (const text of ['yesterday', '2025-01-15', '', '15.01.2025', '2025-02-30T00:00:00Z']) {
    await pay(422, (body) => Object.assign(body.requestMetadata, { localTransactionDate: text }));
  }
});

test('creditCards.authorize 422 200 PAY-10: originIPAddr is an IP literal', async () => {
  const address = (text: string) => (body: PaymentBody) => {
    body.requestMetadata.originIPAddr = text;
  };
  for (const text of ['', 'localhost', '1.2.3', '1.2.3.256', '8.8.8.8:80', '8.8.8.8/8', '::g']) {
    await pay(422, address(text));
  }
  await pay(200, address('2001:4860:4860::8888'));
});

test('creditCards.authorize 200 PAY-10: a sandbox takes private addresses', async () => {
  for (const text of ['10.0.0.1', '192.168.1.20', '127.0.0.1', '::1', '203.0.113.7']) {
    await pay(200, (body) => Object.assign(body.requestMetadata, { originIPAddr: text }));
  }
});

test('creditCards.authorize 422 PAY-10: country is ISO 3166-1 alpha-3', async () => {
  for (const country of ['US', 'usa', 'XXX', 'ZZZ', '', 'United States']) {
    await pay(422, (body) => Object.assign(body.requestMetadata.billingAddress, { country }), {
      cardData: { country },
    });
  }
  for (const country of ['CAN', 'GBR', 'MEX']) {
    await pay(200, (body) => Object.assign(body.requestMetadata.billingAddress, { country }), {
      cardData: { country },
    });
  }
});

test('creditCards.authorize 200 PAY-10: phone formats are not enforced', async () => {
  for (const phone of ['+16175550100', '617 555 0100', 'none', '']) {
    await pay(200, (body) => Object.assign(body.requestMetadata.billingAddress, { phone }));
  }
});

test('creditCards.authorize 422 PAY-10: guestIdentifier has its alphabet', async () => {
  const guest = (text: string) => (body: PaymentBody) => {
    body.requestMetadata.guestIdentifier = text;
  };
  for (const text of ['a b', 'a,b', 'a/b', 'ä', 'a#b', 'a"b', "a'b", 'a\nb', '<a>', '']) {
    await pay(422, guest(text));
  }
  await pay(200, guest('azAZ09=.-_+@:&^%!$'));
  const zero = await pay(200, guest('0'));
  assert.equal((zero.json as Status).paymentState, 'DENIED');
});

test('creditCards.authorize 422 PAY-10: postalCode is a string', async () => {
  const { billingAddress } = (await paymentBody(demo)).requestMetadata;
  for (const postalCode of [2110, true, {}, []]) {
    const json = { ...billingAddress, postalCode };
    await pay(422, (body) => Object.assign(body.requestMetadata, { billingAddress: json }));
  }
});

test('creditCards.authorize 422 PAY-11: in a sandbox detail lists every violation', async () => {
  const answer = await pay(422, (body) => {
    body.amount = -1;
    body.cardNumberOrigin = 'NOBODY';
    body.requestMetadata.originIPAddr = 'localhost';
    body.requestMetadata.guestIdentifier = 'a b';
  });
  for (const field of ['amount', 'cardNumberOrigin', 'originIPAddr', 'guestIdentifier']) {
    assert.match(detailOf(answer), new RegExp(field), `detail is ${detailOf(answer)}`);
  }
});

test('creditCards.authorize 422: an answer never repeats the card number or the code', async () => {
  const card = cardWithOutcome(demo, 'AUTHORIZED');
  const answer = await pay(
    422,
    (body) => Object.assign(body.requestMetadata, { cardLast4: '0000' }),
    { card },
  );
  assert.ok(!answer.text.includes(card.cardNumber));
});

test('creditCards.authorize 403: the scope is needed', async () => {
  const reader = await callers.as('readOnly');
  const answer = await authorize(reader, 403, merchant, await paymentBody(demo));
  assert.match(messageOf(answer), /credit_cards\.authorization:write/);
});

test('creditCards.authorize 500: an unexpected failure may be repeated', async () => {
  const card = demo.testCards.find(({ name }) => /approved when repeated/i.test(name));
  assert.ok(card, 'a test card that is not processed at first');
  const body = await paymentBody(demo, { card });
  const uuid = randomUUID();
  const failed = await authorize(partner, 500, merchant, body, uuid);
  assert.ok('description' in (failed.json as object));
  const repeated = await authorize(partner, 200, merchant, body, uuid);
  assert.equal((repeated.json as Status).paymentState, 'AUTHORIZED');
});
