import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationById, type RequestOf, schemas } from '@servery/contract';
import { shapeOf } from '../../document/shape.ts';
import { validate } from '../../document/validate.ts';
import { ApiError } from '../../http/errors.ts';
import { Faults } from '../../http/faults.ts';
import {
  type AuthorizationRequest,
  type RequestRules,
  readAuthorization,
} from './authorization-request.ts';

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

/** Reads a body as the pipeline and the handler do. */
function read(value: unknown, changes: Partial<RequestRules> = {}): AuthorizationRequest {
  const faults = new Faults(operationById('creditCards.authorize'));
  const how = { refusesUnknown: false, lowersGuids: false };
  const sent = validate(value, shapeOf(schemas.PaymentAuthorization), faults, how);
  const body = sent as RequestOf<'creditCards.authorize'>['body'];
  return readAuthorization(body, { ...rules, ...changes }, faults);
}

function refusalOf(value: unknown, changes: Partial<RequestRules> = {}): ApiError {
  try {
    read(value, changes);
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
  const request = read(body({ tipAmount: 1.25 }));
  assert.equal(request.amountMinor, 1000);
  assert.equal(request.tipMinor, 125);
  assert.equal(request.guest.deliveryAddress?.city, 'Boston');
  assert.equal(request.guest.userAgent, null);
});

test('creditCards.authorize 400 PAY-5: each missing required field is named', () => {
  const required = {
    ...{ cardNumberOrigin: body(), willSaveCard: body(), encryptedCardData: body() },
    ...{ amount: body(), tipAmount: body(), keyId: body(), requestMetadata: body() },
  };
  for (const [name, value] of Object.entries(required)) {
    delete value[name];
    const error = refusalOf(value);
    assert.equal(error.errorClass, 'badRequest', name);
    assert.deepEqual(placesOf(error), [name]);
    assert.match(error.message, new RegExp(`missing: ${name}\\.`));
  }
});

test('creditCards.authorize 400 PAY-5: each missing required field of the metadata is named', () => {
  const required = [
    ...['partnerServiceInfo', 'localTransactionDate', 'originIPAddr', 'cardFirst6', 'cardLast4'],
    ...['billingAddress', 'guestIdentifier'],
  ];
  for (const name of required) {
    const error = refusalOf(inMetadata(name, undefined));
    assert.equal(error.errorClass, 'badRequest', name);
    assert.deepEqual(placesOf(error), [`requestMetadata.${name}`]);
  }
  const nested = [
    ['partnerServiceInfo', {}, ['instanceId']],
    ['billingAddress', {}, ['postalCode', 'country']],
    ['deliveryAddress', {}, ['address1', 'city', 'region', 'postalCode', 'country']],
  ] as const;
  for (const [name, value, missing] of nested) {
    const error = refusalOf(inMetadata(name, value));
    assert.equal(error.errorClass, 'badRequest', name);
    assert.deepEqual(
      placesOf(error),
      missing.map((field) => `requestMetadata.${name}.${field}`),
    );
  }
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

test('creditCards.authorize 200 PAY-5: null in an optional field counts as absent', () => {
  const { billingAddress, ...others } = metadata();
  const request = read(
    body({
      requestMetadata: {
        ...others,
        partnerServiceInfo: { instanceId: 'web-1', additionalInfo: null },
        billingAddress: { ...(billingAddress as object), name: null, address1: null },
        deliveryAddress: null,
        ...{ userAgent: null, guestEmail: null, appName: null, appVersion: null },
      },
    }),
  );
  assert.equal(request.guest.deliveryAddress, null);
  assert.equal(request.guest.userAgent, null);
  assert.equal(request.guest.billingAddress.name, null);
});

test('creditCards.authorize 422 PAY-11: a sandbox tells every fault, production none', () => {
  const value = body({
    ...{ cardNumberOrigin: 'VAULT', encryptedCardData: [], amount: 0.001, keyId: '' },
    requestMetadata: metadata({
      localTransactionDate: '2026-03-01T18:35:00.001Z',
      originIPAddr: 'localhost',
      cardFirst6: '4111',
      billingAddress: { postalCode: '02110', country: 'ZZZ' },
      deliveryAddress: { ...address, country: 'usa' },
      guestIdentifier: 'a b',
    }),
  });
  const { message, faults } = refusalOf(structuredClone(value));
  const places = [
    ...['cardNumberOrigin', 'encryptedCardData', 'amount', 'keyId'],
    ...[
      ...['localTransactionDate', 'originIPAddr', 'cardFirst6', 'billingAddress.country'],
      ...['deliveryAddress.country', 'guestIdentifier'],
    ].map((name) => `requestMetadata.${name}`),
  ];
  assert.deepEqual(new Set(faults.map(({ where }) => where)), new Set(places));
  assert.equal(faults.length, places.length);
  for (const { where, message: told } of faults) assert.ok(message.includes(`${where} ${told}`));
  const inProduction = refusalOf(value, { kind: 'production' });
  assert.equal(inProduction.message, 'The request failed validation.');
  assert.deepEqual(inProduction.faults, faults, 'operators read them in the log of requests');
});

test('creditCards.authorize 422 PAY-5: wrong types are refused', () => {
  const wrong: [Json, string][] = [
    [body({ cardNumberOrigin: 1 }), 'cardNumberOrigin'],
    [body({ willSaveCard: 'false' }), 'willSaveCard'],
    [body({ encryptedCardData: 7 }), 'encryptedCardData'],
    [body({ encryptedCardData: [] }), 'encryptedCardData'],
    [body({ amount: '10.00' }), 'amount'],
    [body({ tipAmount: false }), 'tipAmount'],
    [body({ keyId: {} }), 'keyId'],
    [body({ requestMetadata: [] }), 'requestMetadata'],
    [inMetadata('partnerServiceInfo', 'web'), 'requestMetadata.partnerServiceInfo'],
    [inMetadata('deliveryAddress', 'home'), 'requestMetadata.deliveryAddress'],
    [inMetadata('userAgent', 5), 'requestMetadata.userAgent'],
    [inMetadata('guestEmail', {}), 'requestMetadata.guestEmail'],
    [inMetadata('appName', true), 'requestMetadata.appName'],
    [inMetadata('appVersion', 1.2), 'requestMetadata.appVersion'],
    [inMetadata('cardFirst6', 411111), 'requestMetadata.cardFirst6'],
  ];
  for (const [value, place] of wrong) {
    const error = refusalOf(value);
    assert.equal(error.errorClass, 'unprocessable', place);
    assert.deepEqual(placesOf(error), [place]);
  }
  for (const value of [[], 'text', 1, null]) {
    assert.equal(refusalOf(value).errorClass, 'unprocessable');
  }
});

test('creditCards.authorize 422 PAY-5: an unknown cardNumberOrigin is refused', () => {
  for (const value of ['VAULT', 'end_user', '']) {
    assert.deepEqual(placesOf(refusalOf(body({ cardNumberOrigin: value }))), ['cardNumberOrigin']);
  }
});

test('creditCards.authorize 422 PAY-5: negative amounts and a sum of zero are refused', () => {
  assert.deepEqual(placesOf(refusalOf(body({ amount: -0.01 }))), ['amount']);
  assert.deepEqual(placesOf(refusalOf(body({ tipAmount: -5 }))), ['tipAmount']);
  const zero = refusalOf(body({ amount: 0, tipAmount: 0 }));
  assert.equal(zero.errorClass, 'unprocessable');
  assert.match(zero.message, /together must be greater than zero/);
  assert.equal(read(body({ amount: 0, tipAmount: 0.01 })).tipMinor, 1);
});

test('creditCards.authorize 422 PAY-6: amount and tip have twelve digits together', () => {
  const limit = 9_999_999_999.99;
  const most = read(body({ amount: limit - 5, tipAmount: 5 }));
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

test('creditCards.authorize 400 PAY-3: keyId may be absent only for holders of a legacy key', () => {
  const value = body({ keyId: undefined });
  assert.equal(refusalOf(value).errorClass, 'badRequest');
  assert.equal(read(value, { mayOmitKeyId: true }).keyId, null);
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

test('creditCards.authorize 422 PAY-10: the alphabet of guestIdentifier is enforced', () => {
  const allowed = 'azAZ09=.-_+@:&^%!$';
  const request = read(inMetadata('guestIdentifier', allowed));
  assert.equal(request.guest.guestIdentifier, allowed);
  for (const value of ['', 'a b', 'a/b', 'é', 'a*', 'a#', '(a)', 'a\n']) {
    const error = refusalOf(inMetadata('guestIdentifier', value));
    assert.deepEqual(placesOf(error), ['requestMetadata.guestIdentifier'], JSON.stringify(value));
  }
});

test('creditCards.authorize 422 PAY-10: localTransactionDate is an ISO 8601 instant', () => {
  const good = [
    ...['2026-03-01T18:30:00Z', '2026-03-01T12:30:00-06:00', '2026-03-01T12:30:00.123456-0600'],
    ...['2024-02-29T00:00:00Z', '2026-03-01T18:30Z', '2026-03-01T12:30:00-06'],
  ];
  for (const value of good) {
    const request = read(inMetadata('localTransactionDate', value));
    assert.equal(request.localTransactionDate, value);
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

test('creditCards.authorize 422 PAY-10: a date over five minutes ahead is refused', () => {
  const at = (offsetMs: number) =>
    inMetadata('localTransactionDate', new Date(NOW_MS + offsetMs).toISOString());
  assert.ok(read(at(300_000)));
  assert.match(refusalOf(at(300_001)).message, /five minutes in the future/);
  const elsewhere = inMetadata('localTransactionDate', '2026-03-01T12:35:00.001-06:00');
  assert.match(refusalOf(elsewhere).message, /five minutes in the future/);
});

test('creditCards.authorize 422 PAY-10: originIPAddr must be an address literal', () => {
  for (const value of ['8.8.4.4', '2a00:1450:4001::1', '::ffff:8.8.4.4', '127.0.0.1']) {
    assert.ok(read(inMetadata('originIPAddr', value)), value);
  }
  const bad = ['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '1.2.3.256', 'fe80::1%eth0'];
  for (const value of [...bad, '8.8.4.4:80', '8.8.4.4/32', ' 8.8.4.4']) {
    const error = refusalOf(inMetadata('originIPAddr', value));
    assert.deepEqual(placesOf(error), ['requestMetadata.originIPAddr'], value);
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
    assert.ok(read(inMetadata('originIPAddr', value), { kind: 'production' }), value);
  }
});

test('creditCards.authorize 422 PAY-10: country must be a code of ISO 3166-1 alpha-3', () => {
  for (const country of ['US', 'usa', 'ZZZ', '840', '', 'United States']) {
    const billing = refusalOf(inMetadata('billingAddress', { postalCode: '1', country }));
    assert.deepEqual(placesOf(billing), ['requestMetadata.billingAddress.country'], country);
    const delivery = refusalOf(inMetadata('deliveryAddress', { ...address, country }));
    assert.deepEqual(placesOf(delivery), ['requestMetadata.deliveryAddress.country'], country);
  }
});

test('creditCards.authorize 422 PAY-10: postalCode must be a string', () => {
  const error = refusalOf(inMetadata('billingAddress', { postalCode: 2110, country: 'USA' }));
  assert.deepEqual(placesOf(error), ['requestMetadata.billingAddress.postalCode']);
});

test('creditCards.authorize 200 PAY-10: the form of phone numbers is not enforced', () => {
  const phone = 'call the bar';
  const billingAddress = { postalCode: '02110', country: 'USA', phone };
  const request = read(inMetadata('billingAddress', billingAddress));
  assert.equal(request.guest.billingAddress.phone, phone);
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
