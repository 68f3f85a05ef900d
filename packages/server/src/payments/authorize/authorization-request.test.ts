import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../http/errors.ts';
import { type RequestRules, readAuthorization } from './authorization-request.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 18, 30, 0);

const rules: RequestRules = {
  currencyCode: 'USD',
  kind: 'sandbox',
  nowMs: NOW_MS,
  mayOmitKeyId: false,
};

type Json = Record<string, unknown>;

const address = {
  address1: '1 Beacon St',
  city: 'Boston',
  region: 'MA',
  postalCode: '02108',
  country: 'USA',
};

function metadata(changes: Json = {}): Json {
  return {
    partnerServiceInfo: { instanceId: 'web-1' },
    localTransactionDate: '2026-03-01T12:30:00.000-0600',
    originIPAddr: '8.8.4.4',
    cardFirst6: '411111',
    cardLast4: '1111',
    billingAddress: { postalCode: '02110', country: 'USA' },
    deliveryAddress: address,
    guestIdentifier: 'guest@example.com',
    ...changes,
  };
}

function body(changes: Json = {}): Json {
  const sound = {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: 'AAAA',
    amount: 10,
    tipAmount: 0,
    keyId: 'ECDH-ES::1',
    requestMetadata: metadata(),
    ...changes,
  };
  return JSON.parse(JSON.stringify(sound));
}

function refusalOf(value: unknown, changes: Partial<RequestRules> = {}): ApiError {
  try {
    readAuthorization(value, { ...rules, ...changes });
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  assert.fail(`accepted: ${JSON.stringify(value)}`);
}

function placesOf(error: ApiError): string[] {
  return error.faults.map((fault) => fault.where);
}

const inMetadata = (name: string, value: unknown) =>
  body({ requestMetadata: metadata({ [name]: value }) });

test('creditCards.authorize 200 PAY-5: a sound request is read into plain fields', () => {
  const request = readAuthorization(body({ tipAmount: 1.25 }), rules);
  assert.equal(request.amountMinor, 1000);
  assert.equal(request.tipMinor, 125);
  assert.equal(request.metadata.deliveryAddress?.city, 'Boston');
  assert.equal(request.metadata.userAgent, null);
});

test('creditCards.authorize 400 PAY-5: missing outweighs wrong, both are listed', () => {
  const error = refusalOf(body({ amount: -1, keyId: undefined }));
  assert.equal(error.errorClass, 'badRequest');
  assert.deepEqual(placesOf(error), ['keyId', 'amount']);
});

test('creditCards.authorize 422 PAY-5: null in a required field is a wrong type', () => {
  for (const name of Object.keys(body())) {
    const error = refusalOf(body({ [name]: null }));
    assert.equal(error.errorClass, 'unprocessable', name);
    assert.deepEqual(placesOf(error), [name]);
  }
});

test('creditCards.authorize 422 PAY-6: amount and tip have twelve digits together', () => {
  const limit = 9_999_999_999.99;
  const most = readAuthorization(body({ amount: limit - 5, tipAmount: 5 }), rules);
  assert.equal(most.amountMinor + most.tipMinor, 999_999_999_999);
  for (const [amount, tipAmount] of [
    [limit, limit],
    [limit, 0.01],
    [0.01, limit],
  ]) {
    const error = refusalOf(body({ amount, tipAmount }));
    assert.equal(error.errorClass, 'unprocessable');
    assert.match(error.message, /together must not be over 9999999999\.99/);
  }
  const yen = body({ amount: 999_999_999_999, tipAmount: 1 });
  assert.deepEqual(placesOf(refusalOf(yen, { currencyCode: 'JPY' })), ['amount']);
});

test('creditCards.authorize 422 PAY-5: card digits of a wrong count or alphabet are refused', () => {
  for (const value of ['41111', '4111111', '41111a', '４１１１１１', '', ' 411111']) {
    const error = refusalOf(inMetadata('cardFirst6', value));
    assert.deepEqual(placesOf(error), ['requestMetadata.cardFirst6'], value);
  }
  for (const value of ['111', '11111', '111x']) {
    const error = refusalOf(inMetadata('cardLast4', value));
    assert.deepEqual(placesOf(error), ['requestMetadata.cardLast4'], value);
  }
});

test('creditCards.authorize 422 PAY-10: localTransactionDate is an ISO 8601 instant', () => {
  const good = [
    ...['2026-03-01T18:30:00Z', '2026-03-01T12:30:00-06:00', '2026-03-01T12:30:00.123456-0600'],
    ...['2024-02-29T00:00:00Z', '2026-03-01T18:30Z', '2026-03-01T12:30:00-06'],
  ];
  for (const value of good) {
    const read = readAuthorization(inMetadata('localTransactionDate', value), rules);
    assert.equal(read.metadata.localTransactionDate, value);
  }
  const bad = [
    ...['', 'yesterday', '2026-03-01', '2026-03-01T18:30:00', '2026-3-1T18:30:00Z'],
    ...['2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-03-01T24:00:00Z', '2026-03-01T18:60:00Z', '2026-03-01T18:30:61Z'],
    ...['2026-03-01T18:30:00+24:00', '1767225600', '2026-03-01 18:30:00Z'],
    '2026-03-01T18:30:00.4111111111111111Z',
  ];
  for (const value of bad) {
    const error = refusalOf(inMetadata('localTransactionDate', value));
    assert.deepEqual(placesOf(error), ['requestMetadata.localTransactionDate'], value);
  }
});

test('creditCards.authorize 422 PAY-10: production refuses private addresses', () => {
  const reserved = [
    ...['10.1.2.3', '172.16.0.1', '192.168.1.1', '127.0.0.1', '169.254.1.1', '100.64.0.1'],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '192.0.2.1', '203.0.113.9'],
    ...['::1', 'fe80::1', 'fc00::1', '2001:db8::1', '::ffff:10.0.0.1'],
  ];
  for (const value of reserved) {
    const error = refusalOf(inMetadata('originIPAddr', value), { kind: 'production' });
    assert.equal(error.message, 'The request failed validation.', value);
  }
  for (const value of ['8.8.4.4', '2a00:1450:4001::1']) {
    const production = { ...rules, kind: 'production' } as const;
    assert.ok(readAuthorization(inMetadata('originIPAddr', value), production), value);
  }
});

test('creditCards.authorize 422 PAY-I7: a refusal never repeats a value', () => {
  const cardNumber = '4111111111111111';
  const everywhere = metadata(
    Object.fromEntries(Object.keys(metadata()).map((name) => [name, cardNumber])),
  );
  const error = refusalOf(
    body({ cardNumberOrigin: cardNumber, amount: cardNumber, requestMetadata: everywhere }),
  );
  assert.ok(!JSON.stringify([error.message, error.faults]).includes(cardNumber));
});
