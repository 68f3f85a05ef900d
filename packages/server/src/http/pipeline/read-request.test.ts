import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById, operations, partnerScopes } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createApplication } from '../edge/application.ts';
import { ApiError } from '../errors.ts';
import { refusingItself } from '../look-further.ts';
import type { OperationHandlers } from '../operation.ts';
import { MemoryRateCounter } from './rate-limit.ts';
import { readRequest } from './read-request.ts';

/** What a request is refused with; null when it is within the limits. */
async function refusal(
  id: OperationId,
  body: unknown,
  query: Readonly<Record<string, string>> = {},
): Promise<ApiError | null> {
  try {
    // As the feature does, which refuses in words of its own.
    const handler = id === 'creditCards.authorize' ? refusingItself({}) : {};
    await readRequest(operationById(id), { params: {}, query, body }, handler);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, `not an ApiError: ${error}`);
    return error;
  }
}

const GUID_RULE = 'must be a GUID, for example 0b8f0ee5-7f0d-4b1c-9d38-3c8a2f5f3b11';

const payment = (userAgent: string, more: object = {}) => ({
  requestMetadata: { userAgent, partnerServiceInfo: { instanceId: 'web' }, ...more },
});

test('creditCards.authorize 422 API-12: each text over its limit is named, and no text is', async () => {
  assert.equal(await refusal('creditCards.authorize', payment('4'.repeat(2_000))), null);
  const error = await refusal(
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

test('creditCards.authorize API-12: a character of two units counts once', async () => {
  assert.equal(await refusal('creditCards.authorize', payment('\u{1f600}'.repeat(2_000))), null);
  const [fault] =
    (await refusal('creditCards.authorize', payment('\u{1f600}'.repeat(2_001))))?.faults ?? [];
  assert.match(fault?.message ?? '', /^has 2001 characters/);
});

test('creditCards.authorize 422 API-12: card data is bounded as text and as an object', async () => {
  const sized = async (encryptedCardData: unknown) =>
    (await refusal('creditCards.authorize', { encryptedCardData }))?.faults.map(
      ({ where }) => where,
    );
  assert.equal(await sized('a'.repeat(16_384)), undefined);
  assert.deepEqual(await sized('a'.repeat(16_385)), ['encryptedCardData']);
  const ciphertext = 'a'.repeat(16_385);
  assert.deepEqual(await sized({ ciphertext }), ['encryptedCardData.ciphertext']);
  const header = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, 'x']));
  assert.deepEqual(await sized({ header }), ['encryptedCardData.header']);
  assert.deepEqual(await sized({ header: { ['4'.repeat(300)]: ciphertext } }), [
    'encryptedCardData.header.<key 1>',
    'encryptedCardData.header.<key 1>',
  ]);
});

test('creditCards.authorize 422 API-12: of a faulty request only what is too large is told', async () => {
  const error = await refusal('creditCards.authorize', { keyId: '4'.repeat(256), amount: 'ten' });
  assert.equal(error?.errorClass, 'unprocessable');
  assert.deepEqual(
    error.faults.map(({ where }) => where),
    ['keyId'],
  );
  assert.equal(await refusal('creditCards.authorize', { amount: 'ten' }), null);
});

test('stock.update 400 API-12 STK-5: a list names what is at fault, and a long one its length', async () => {
  const status = 'IN_STOCK';
  const long = { multiLocationId: '4'.repeat(256), status };
  const sound = { multiLocationId: '4', status };
  const error = await refusal('stock.update', [sound, long, { guid: long, status }, long]);
  assert.equal(error?.errorClass, 'badRequest');
  const places = error.faults.map(({ where }) => where);
  assert.deepEqual(places, ['[1].multiLocationId', '[2].guid', '[3].multiLocationId']);
  const many = (await refusal('stock.update', Array(5_001).fill(long)))?.faults;
  assert.deepEqual(many, [
    { where: 'The body', message: 'has 5001 elements; at most 5000 are allowed' },
  ]);
  assert.equal((await refusal('stock.update', Array(5_000).fill(long)))?.faults.length, 100);
});

test('auth.token 400 API-12, stock.list 400 API-12: forms and parameters have limits too', async () => {
  const ask = (scope: string) => refusal('auth.token', { grant_type: 'client_credentials', scope });
  assert.equal(await ask('a '.repeat(2_048)), null);
  assert.equal((await ask('a '.repeat(2_049)))?.errorClass, 'badRequest');
  const query = { status: '4'.repeat(256) };
  assert.deepEqual((await refusal('stock.list', undefined, query))?.faults[0]?.where, 'status');
});

test('API-12: what no schema names is ignored, whatever it is', async () => {
  const stray = { stray: 'x'.repeat(100_000), userAgent: ['x'.repeat(5_000)] };
  assert.equal(await refusal('creditCards.authorize', { ...stray, requestMetadata: stray }), null);
  assert.equal(await refusal('creditCards.authorize', 'x'.repeat(100_000)), null);
  assert.equal(await refusal('backOffice.configuration.apply', 'x'.repeat(100_000)), null);
});

test('backOffice.stock.history 400: query parameters are typed, and each fault is told', async () => {
  const read = async (query: Readonly<Record<string, string>>) => {
    const sent = { params: {}, query, body: null };
    return (await readRequest(operationById('backOffice.stock.history'), sent, {})).query;
  };
  const guid = '5F0C1A2E-7B34-4D8A-9C61-00000000000A';
  const sent = { item: guid, by: ' cook ', from: '2026-01-31T19:30:00 01:00', pageSize: '020' };
  assert.deepEqual(await read({ ...sent, pageToken: '', unknown: 'x' }), {
    item: guid.toLowerCase(),
    by: 'cook',
    from: '2026-01-31T18:30:00Z',
    pageSize: 20,
  });
  const wrong = { item: 'soup', by: ' ', from: 'today', to: 'a\0', pageSize: '201' };
  const error = await refusal('backOffice.stock.history', null, wrong);
  assert.equal(error?.errorClass, 'badRequest');
  assert.deepEqual(
    error.faults.map(({ where, message }) => `${where} ${message}`),
    [
      'to must be a text without a NUL character',
      `item ${GUID_RULE}`,
      'by must have 1 to 200 characters',
      'from must be an instant, for example 2026-01-31T18:30:00.000Z',
      'pageSize must be from 1 to 200',
    ],
  );
  assert.match(error.message, /; and 2 more faults\.$/);
});

test('backOffice.stock.list 400: a text that lists choices is read as a list', async () => {
  const read = async (status: string) => {
    const sent = { params: {}, query: { status }, body: null };
    return (await readRequest(operationById('backOffice.stock.list'), sent, {})).query.status;
  };
  assert.deepEqual(await read('QUANTITY,OUT_OF_STOCK,QUANTITY'), ['QUANTITY', 'OUT_OF_STOCK']);
  for (const wrong of ['SOLD', 'QUANTITY,', '']) {
    await assert.rejects(read(wrong), /^ApiError: status must be one or more of IN_STOCK/);
  }
});

test('backOffice.stock.undo 404: a path that cannot name anything is not found', async () => {
  const sent = { params: { changeGuid: '7' }, query: {}, body: undefined };
  await assert.rejects(readRequest(operationById('backOffice.stock.undo'), sent, {}), {
    errorClass: 'notFound',
    message: `changeGuid ${GUID_RULE}. Check the path.`,
  });
});

test('backOffice.stock.set 400 422: what is missing is a 400, what is wrong alone a 422', async () => {
  const classOf = async (body: unknown) =>
    (await refusal('backOffice.stock.set', body))?.errorClass;
  assert.equal(await classOf({ changes: [{ sku: 4000, status: 'IN_STOCK' }] }), 'unprocessable');
  assert.equal(await classOf({ changes: [{ sku: '4000' }] }), 'badRequest');
  assert.equal(await classOf({ changes: [{ sku: '4000' }, { sku: 4000 }] }), 'badRequest');
  assert.equal(await classOf({}), 'badRequest');
  assert.equal(await classOf([]), 'unprocessable');
  assert.equal(await classOf(null), 'unprocessable');
  const sound = { sku: '4000', status: 'IN_STOCK', quantity: null, lastChange: { any: 'thing' } };
  assert.equal(await classOf({ changes: [sound] }), undefined);
});

test('backOffice.stock.set 422: unknown fields are told, partners may send any', async () => {
  const faults = (
    await refusal('backOffice.stock.set', {
      changes: [{ sku: '4000', status: 'IN_STOCK', stauts: 1, '4111111111111111': 1 }],
      more: true,
    })
  )?.faults;
  const known = 'guid, multiLocationId, sku, plu, name, status, quantity, until';
  assert.deepEqual(faults, [
    { where: 'changes[0].stauts', message: 'is no field here; perhaps "status" is meant' },
    {
      where: 'changes[0].<field 4>',
      message: `is no field here; remove it. Known are ${known}`,
    },
    { where: 'more', message: 'is no field here; remove it. Known are changes' },
  ]);
  const ignored = { guid: null, multiLocationId: 'a', status: 'IN_STOCK', versionId: 7, more: 1 };
  assert.equal(await refusal('stock.update', [ignored]), null);
});

test('backOffice.payments.void backOffice.clock.set API-9: unknown fields are ignored', async () => {
  const bodies: Readonly<Partial<Record<OperationId, object>>> = {
    'backOffice.payments.apply': { checkGuid: RESTAURANT },
    'backOffice.payments.void': { reason: 'The guest left.' },
    'backOffice.clock.set': { now: '2026-01-31T18:30:00Z' },
    'backOffice.clock.advance': { duration: 'PT5M' },
    'backOffice.cardKeys.issue': { algorithm: 'ECDH-ES' },
    'backOffice.alarms.acknowledge': { note: 'Seen.' },
  };
  for (const [id, body] of Object.entries(bodies)) {
    assert.equal(await refusal(id as OperationId, { ...body, surprise: 1 }), null, id);
  }
});

test('backOffice.clients.create backOffice.connections.connect: null is like a field left out', async () => {
  const account = { name: 'Orders', type: 'PARTNER', partnerGuid: RESTAURANT, scopes: [] };
  const bodies: Readonly<Partial<Record<OperationId, object>>> = {
    'backOffice.clients.create': { ...account, secret: null },
    'backOffice.webhooks.endpoints.create': {
      ...{ clientId: 'one', url: 'https://example.com/events', secret: null },
    },
    'backOffice.connections.connect': { partnerGuid: RESTAURANT, employee: null },
    'backOffice.connections.update': { externalGroupRef: 'west', employee: null },
    'backOffice.connections.disconnect': { reason: 'Enough.', employee: null },
    'backOffice.configuration.draft.discard': { all: true, objects: null },
    'backOffice.configuration.publications.publish': { objects: null },
    'backOffice.configuration.publishGroup': {
      restaurants: [{ restaurantGuid: RESTAURANT, objects: null }],
    },
    'backOffice.managementGroups.create': { name: 'West', guid: null },
  };
  for (const [id, body] of Object.entries(bodies)) {
    assert.equal(await refusal(id as OperationId, body), null, id);
  }
});

test('backOffice.managementGroups.update: what an answer repeats is ignored', async () => {
  const repeated = { name: 'West', createdAt: null, modifiedAt: 'yesterday' };
  assert.equal(await refusal('backOffice.managementGroups.update', repeated), null);
});

test('stock.update: guids stay as partners write them, those of the back office do not', async () => {
  const guid = '5F0C1A2E-7B34-4D8A-9C61-00000000000A';
  const read = async (id: OperationId, body: unknown) =>
    (await readRequest(operationById(id), { params: {}, query: {}, body }, {})).body;
  const change = { guid, status: 'IN_STOCK' };
  assert.match(JSON.stringify(await read('stock.update', [change])), /000A/);
  assert.match(JSON.stringify(await read('backOffice.stock.set', { changes: [change] })), /000a/);
});

test('backOffice.configuration.publications.get 404: a number in a path has one spelling', async () => {
  const operation = operationById('backOffice.configuration.publications.get');
  const ask = (number: string) =>
    readRequest(
      operation,
      { params: { restaurantGuid: RESTAURANT, number }, query: {}, body: null },
      {},
    );
  assert.equal((await ask('1')).params.number, 1);
  for (const number of ['01', '1.0', '+1', '1e0', '-1']) {
    await assert.rejects(ask(number), { errorClass: 'notFound' });
  }
});

test('backOffice.stock.history backOffice.clock.set: instants have milliseconds, the clock cuts', async () => {
  const [fine, tomorrow] = ['2026-01-31T18:30:00.1234567Z', '2026-01-31T24:00:00Z'];
  const ask = (from: string) => refusal('backOffice.stock.history', null, { from });
  for (const from of [fine, '2026-01-31T18:30Z', '2026-01-31T18:30:00+0000']) {
    assert.equal((await ask(from))?.errorClass, 'badRequest', from);
  }
  assert.equal(await ask(tomorrow), null);
  const since = { which: 'SINCE', since: fine };
  assert.equal((await refusal('backOffice.webhooks.replay', since))?.errorClass, 'unprocessable');
  assert.equal(await refusal('backOffice.clock.set', { now: fine }), null);
});

const RESTAURANT = '11111111-1111-4111-8111-111111111111';
const PAYMENT = '55555555-5555-4555-8555-555555555555';

/** An application whose handlers only count their calls. */
function countingApplication(isSandbox: boolean) {
  const counted = { calls: 0 };
  const handler = refusingItself(async () => {
    counted.calls += 1;
    return { json: {} };
  });
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
        ...{
          holdsLegacyCardKey: false,
          tokenIssuedAtMs: 0,
          tokenExpiresAtMs: Number.POSITIVE_INFINITY,
        },
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
  const fields = (count: number) =>
    [
      'grant_type=client_credentials',
      ...Array.from({ length: count - 1 }, (_, at) => `f${at}=1`),
    ].join('&');
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
