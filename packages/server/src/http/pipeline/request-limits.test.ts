import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById, operations, partnerScopes } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createApplication } from '../edge/application.ts';
import { ApiError } from '../errors.ts';
import type { OperationHandlers } from '../operation.ts';
import { MemoryRateCounter } from './rate-limit.ts';
import { checkLimits } from './request-limits.ts';

/** What a request is refused with; null when it is within the limits. */
function refusal(
  id: OperationId,
  body: unknown,
  query: Readonly<Record<string, string>> = {},
): ApiError | null {
  try {
    checkLimits(operationById(id), query, body);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, `not an ApiError: ${error}`);
    return error;
  }
}

const payment = (userAgent: string, more: object = {}) => ({
  requestMetadata: { userAgent, partnerServiceInfo: { instanceId: 'web' }, ...more },
});

test('creditCards.authorize 422 API-12: each text over its limit is named, and no text is', () => {
  assert.equal(refusal('creditCards.authorize', payment('4'.repeat(2_000))), null);
  const error = refusal(
    'creditCards.authorize',
    payment('4 '.repeat(450_000), {
      guestEmail: '4'.repeat(1_001),
      partnerServiceInfo: { instanceId: 'x'.repeat(256) },
    }),
  );
  assert.equal(error?.errorClass, 'unprocessable');
  assert.deepEqual(error.faults, [
    {
      where: 'requestMetadata.partnerServiceInfo.instanceId',
      message: 'has 256 characters; at most 255 are allowed',
    },
    {
      where: 'requestMetadata.userAgent',
      message: 'has 900000 characters; at most 2000 are allowed',
    },
    {
      where: 'requestMetadata.guestEmail',
      message: 'has 1001 characters; at most 1000 are allowed',
    },
  ]);
  assert.match(error.message, /requestMetadata\.userAgent has 900000 characters; at most 2000/);
  assert.doesNotMatch(error.message, /4 4|44/);
});

test('creditCards.authorize API-12: a character of two units counts once', () => {
  assert.equal(refusal('creditCards.authorize', payment('\u{1f600}'.repeat(2_000))), null);
  const [fault] =
    refusal('creditCards.authorize', payment('\u{1f600}'.repeat(2_001)))?.faults ?? [];
  assert.match(fault?.message ?? '', /^has 2001 characters/);
});

test('creditCards.authorize 422 API-12: card data is bounded as text and as an object', () => {
  const sized = (encryptedCardData: unknown) =>
    refusal('creditCards.authorize', { encryptedCardData })?.faults.map(({ where }) => where);
  assert.equal(sized('a'.repeat(16_384)), undefined);
  assert.deepEqual(sized('a'.repeat(16_385)), ['encryptedCardData']);
  const ciphertext = 'a'.repeat(16_385);
  assert.deepEqual(sized({ ciphertext }), ['encryptedCardData.ciphertext']);
  const header = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, 'x']));
  assert.deepEqual(sized({ header }), ['encryptedCardData.header']);
  assert.deepEqual(sized({ header: { ['4'.repeat(300)]: ciphertext } }), [
    'encryptedCardData.header.<key 1>',
    'encryptedCardData.header.<key 1>',
  ]);
});

test('stock.update 400 API-12 STK-5: a list names what is at fault, and a long one its length', () => {
  const long = { multiLocationId: '4'.repeat(256) };
  const error = refusal('stock.update', [{ multiLocationId: '4' }, long, { guid: long }, long]);
  assert.equal(error?.errorClass, 'badRequest');
  const places = error.faults.map(({ where }) => where);
  assert.deepEqual(places, ['[1].multiLocationId', '[3].multiLocationId']);
  const many = refusal('stock.update', Array(5_001).fill(long))?.faults;
  assert.deepEqual(many, [
    { where: 'the body', message: 'has 5001 elements; at most 5000 are allowed' },
  ]);
  assert.equal(refusal('stock.update', Array(5_000).fill(long))?.faults.length, 100);
});

test('auth.token 400 API-12, stock.list 400 API-12: forms and parameters have limits too', () => {
  assert.equal(refusal('auth.token', { scope: 'a '.repeat(2_048) }), null);
  assert.equal(refusal('auth.token', { scope: 'a '.repeat(2_049) })?.errorClass, 'badRequest');
  const query = { status: '4'.repeat(256) };
  assert.deepEqual(refusal('stock.list', undefined, query)?.faults[0]?.where, 'status');
});

test('API-12: of two schemas that name the same field, the one that allows more counts', () => {
  const branch = (limit: number) => {
    const text = { type: 'string', maxLength: limit };
    const map = { type: 'object', maxProperties: limit, additionalProperties: text };
    return { type: 'object', properties: { text, list: { type: 'array', items: text }, map } };
  };
  const schema = { anyOf: [branch(2), branch(4), branch(3)] };
  const [parameter] = operationById('stock.list').queryParameters;
  assert.ok(parameter);
  const operation = {
    ...operationById('stock.list'),
    queryParameters: [{ ...parameter, name: 'either', schema }],
  };
  const check = (length: number) => {
    const text = 'x'.repeat(length);
    const map = Object.fromEntries(Array.from(text, (_, at) => [at, text]));
    const query = { either: { text, list: [text], map } };
    checkLimits(operation, query as unknown as Record<string, string>, undefined);
  };
  check(4);
  assert.throws(() => check(5), {
    faults: ['text', 'list[0]', 'map'].map((place) => ({
      where: `either.${place}`,
      message: `has 5 ${place === 'map' ? 'keys' : 'characters'}; at most 4 are allowed`,
    })),
  });
});

test('API-12: what no schema names is ignored, whatever it is', () => {
  const stray = { stray: 'x'.repeat(100_000), userAgent: ['x'.repeat(5_000)] };
  assert.equal(refusal('creditCards.authorize', { ...stray, requestMetadata: stray }), null);
  assert.equal(refusal('creditCards.authorize', 'x'.repeat(100_000)), null);
  assert.equal(refusal('backOffice.configuration.apply', 'x'.repeat(100_000)), null);
});

const RESTAURANT = '11111111-1111-4111-8111-111111111111';
const PAYMENT = '55555555-5555-4555-8555-555555555555';

/** An application whose handlers only count their calls. */
function countingApplication(isSandbox: boolean) {
  const counted = { calls: 0 };
  const handler = async () => {
    counted.calls += 1;
    return { json: {} };
  };
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, handler]));
  const clock = new FixedClock(Date.UTC(2026, 0, 31));
  const context = { managementGroupGuid: RESTAURANT, timeZone: 'UTC', currencyCode: 'USD' };
  const log = () => {};
  const app = createApplication(
    {
      ...{
        brand: 'Platform',
        clock,
        realClock: clock,
        isSandbox,
        trustedProxies: [],
        observers: [],
      },
      rateLimits: { perSecond: 1_000, perQuarterHour: 100_000 },
      rateCounter: new MemoryRateCounter(),
      authenticate: async () => ({
        ...({
          clientId: 'client',
          name: 'Test',
          type: 'PARTNER',
          partnerGuid: RESTAURANT,
        } as const),
        ...{ managementGroupGuid: null, scopes: new Set(partnerScopes) },
        ...{ holdsLegacyCardKey: false, tokenExpiresAtMs: Number.POSITIVE_INFINITY },
      }),
      access: async (_caller, guid) => ({
        outcome: 'granted',
        restaurant: { ...context, guid, archived: false, publishNumber: 1 },
      }),
      baseUrl: () => 'http://127.0.0.1:4400',
      log: { debug: log, info: log, warn: log, error: log },
      attest: (text) => Buffer.from(text),
    },
    handlers as unknown as OperationHandlers,
  );
  return { app, counted };
}

test('creditCards.authorize 422 API-12: a text over its limit never reaches the handler', async () => {
  for (const isSandbox of [true, false]) {
    const { app, counted } = countingApplication(isSandbox);
    const response = await app.inject({
      method: 'PUT',
      url: `/ccpartner/v1/merchants/${RESTAURANT}/payments/${PAYMENT}`,
      headers: {
        'content-type': 'application/json',
        'platform-restaurant-external-id': RESTAURANT,
      },
      payload: JSON.stringify(payment('4 '.repeat(450_000))),
    });
    await app.close();
    const { description, detail } = response.json();
    assert.equal(response.statusCode, 422);
    assert.match(description, /requestMetadata\.userAgent has 900000 characters; at most 2000/);
    assert.equal(detail !== undefined, isSandbox);
    assert.doesNotMatch(response.body, /4 4/);
    assert.equal(counted.calls, 0);
  }
});

test('auth.token 413 400 AUTH-10, auth.login 413 AUTH-10: bodies from anybody are small', async () => {
  const { app, counted } = countingApplication(true);
  const post = async (url: string, type: string, payload: string) =>
    (await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload }))
      .statusCode;
  const token = (body: string) => post('/oauth/token', 'application/x-www-form-urlencoded', body);
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&');
  assert.equal(await token(fields(100)), 200);
  assert.equal(await token(fields(101)), 400);
  assert.equal(await token(fields(90_000)), 413);
  assert.equal(await token(`scope=${'a+'.repeat(450_000)}`), 413);
  const login = JSON.stringify({ clientId: 'x'.repeat(16_384) });
  const path = '/authentication/v1/authentication/login';
  assert.equal(await post(path, 'application/json', login), 413);
  await app.close();
  assert.equal(counted.calls, 1);
});
