import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { operations, type Scope, scopesFor } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import type { FastifyInstance } from 'fastify';
import { createApplication } from '../../src/http/edge/application.ts';
import { ApiError } from '../../src/http/errors.ts';
import type {
  Access,
  Answer,
  OperationHandlers,
  RestaurantRequest,
} from '../../src/http/operation.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import { MemoryRateCounter } from '../../src/http/pipeline/rate-limit.ts';

const OWN = '11111111-1111-4111-8111-111111111111';
const ARCHIVED = '22222222-2222-4222-8222-222222222222';
const FOREIGN = '33333333-3333-4333-8333-333333333333';
const UNKNOWN = '44444444-4444-4444-8444-444444444444';
const PAYMENT = '55555555-5555-4555-8555-555555555555';
const NOW_MS = Date.UTC(2026, 0, 31, 12);

const logged: unknown[] = [];
const log = (...entry: unknown[]) => void logged.push(entry);
let answer: (request: RestaurantRequest) => Answer = (request) => ({
  json: { id: request.operation.id },
});
const handlers = Object.fromEntries(
  operations.map(({ id }) => [id, async (request: RestaurantRequest) => answer(request)]),
) as unknown as OperationHandlers;

const access: Access = async (_principal, guid) => {
  if (guid === UNKNOWN) return { outcome: 'unknown' };
  if (guid.startsWith(FOREIGN.slice(0, 8))) return { outcome: 'notGranted' };
  const context = {
    managementGroupGuid: OWN,
    timeZone: 'UTC',
    currencyCode: 'USD',
    publishNumber: 1,
  };
  return { outcome: 'granted', restaurant: { ...context, guid, archived: guid === ARCHIVED } };
};

const finished: FinishedRequest[] = [];
const observer = { finished: (request: FinishedRequest) => void finished.push(request) };

const application = ({ perSecond = 1_000, isSandbox = true } = {}): FastifyInstance =>
  createApplication(
    {
      brand: 'Platform',
      clock: new FixedClock(NOW_MS),
      realClock: new FixedClock(NOW_MS),
      rateLimits: { perSecond, perQuarterHour: 100_000 },
      rateCounter: new MemoryRateCounter(),
      authenticate: async ({ headers: { authorization } }) => {
        const scopes = authorization?.match(/^Bearer (.*)$/)?.[1];
        if (scopes === undefined) {
          const headers = { 'www-authenticate': 'Bearer realm="Platform"' };
          throw new ApiError('unauthorized', 'Send a token.', { headers });
        }
        const set = new Set(scopes.split(' ') as Scope[]);
        const isBackOffice = scopesFor('BACK_OFFICE').some((scope) => set.has(scope));
        return {
          clientId: 'client',
          name: 'Test',
          type: isBackOffice ? 'BACK_OFFICE' : 'PARTNER',
          partnerGuid: isBackOffice ? null : OWN,
          managementGroupGuid: null,
          scopes: set,
          holdsLegacyCardKey: false,
          tokenIssuedAtMs: 0,
          tokenExpiresAtMs: Number.POSITIVE_INFINITY,
        };
      },
      access,
      baseUrl: () => 'http://127.0.0.1:4400',
      log: { debug: log, info: log, warn: log, error: log },
      isSandbox,
      trustedProxies: [],
      observers: [observer],
      attest: (text) => Buffer.from(text),
    },
    handlers,
  );

const ALL =
  'Bearer config:read stock:read stock:write restaurants:read credit_cards.authorization:write';
const BACK_OFFICE = `Bearer ${scopesFor('BACK_OFFICE').join(' ')}`;
const app = application();
let address = '';

before(async () => {
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => app.close());

interface Sent {
  method?: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD';
  headers?: Record<string, string>;
  body?: string;
  restaurant?: string | null;
  token?: string | null;
}

const send = async (url: string, sent: Sent = {}, to = app) => {
  const { method = 'GET', headers = {}, body, restaurant = OWN, token = ALL } = sent;
  const response = await to.inject({
    method,
    url,
    headers: {
      ...(token === null ? {} : { authorization: token }),
      ...(restaurant === null ? {} : { 'platform-restaurant-external-id': restaurant }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    json:
      isJson && response.rawPayload.length > 0 && !response.headers['content-encoding']
        ? response.json()
        : null,
    raw: response.rawPayload,
  };
};

const ITEMS = '/config/v2/menuItems';
const UPDATE = '/stock/v1/inventory/update';

test('pipeline API-5: the checks refuse in their order, each if all before it is right', async () => {
  const tight = application({ perSecond: 1 });
  const wrong = {
    method: 'PUT',
    restaurant: 'x',
    token: 'Bearer none',
    body: '{',
    headers: { 'content-type': 'text/plain' },
  } as const;
  assert.equal((await send('/nowhere', { ...wrong, token: null })).status, 401);
  assert.equal((await send('/nowhere', wrong)).status, 404);
  assert.equal((await send(ITEMS, wrong)).status, 405);
  assert.equal((await send(UPDATE, { ...wrong }, tight)).status, 400);
  assert.equal((await send(UPDATE, { ...wrong }, tight)).status, 429);
  assert.equal((await send('/nowhere', wrong, tight)).status, 404, 'over the budget, too');
  assert.equal((await send(UPDATE, { ...wrong, restaurant: FOREIGN })).status, 403);
  const scope = await send(UPDATE, { ...wrong, restaurant: OWN });
  assert.equal(scope.status, 403);
  assert.match(scope.json.message, /lacks the scope stock:write/);
  assert.equal((await send(UPDATE, { ...wrong, restaurant: OWN, token: ALL })).status, 415);
  const large = 'x'.repeat(1_048_577);
  assert.equal((await send(UPDATE, { method: 'PUT', body: large })).status, 413);
  assert.equal((await send(UPDATE, { method: 'PUT', body: '{' })).status, 400);
  assert.equal((await send(UPDATE, { method: 'PUT', body: '[]' })).status, 200);
});

test('pipeline 405 API-5: where no token is needed, a wrong method is told without one', async () => {
  for (const path of ['/healthz', '/oauth/token', '/authentication/v1/authentication/login']) {
    const { status, headers } = await send(path, { method: 'DELETE', token: null });
    assert.equal(status, 405);
    assert.ok(headers.allow);
  }
});

test('pipeline 404 API-5: a path that does not decode has its place in the order too', async () => {
  assert.equal((await send('/config/v2/menuItems/%zz')).status, 404);
  assert.equal((await send('/config/v2/menuItems/%zz', { token: null })).status, 401);
});

test('stock.list 403 API-4 API-6: only a client that reaches it learns it is archived', async () => {
  const told = async (restaurant: string, path = '/stock/v1/inventory') => {
    const { status, json } = await send(path, { restaurant });
    assert.equal(status, 403, path);
    return `${json.code} ${json.message.replace(restaurant, 'GUID')}`;
  };
  const archived = /^21403 The restaurant GUID is archived and serves nothing: skip it\./;
  assert.match(await told(ARCHIVED), archived);
  assert.match(await told(ARCHIVED, '/config/v2/menus'), archived);
  assert.match(await told(ARCHIVED, `/restaurants/v1/restaurants/${OWN}`), archived);
  assert.match(await told(FOREIGN), /^20403 The restaurant GUID is not connected to this client/);
  assert.equal(await told(UNKNOWN), await told(FOREIGN));
});

const pathOf = (path: string) =>
  path.replace('{collection}', 'menuItems').replaceAll(/\{[^}]+\}/g, OWN);

test('pipeline 403: partner clients and the back office reach nothing of each other', async () => {
  for (const { id, method, path, security, interface: owner } of operations) {
    if (security === 'none') continue;
    const isBackOffice = owner === 'backOffice';
    const token = isBackOffice ? ALL : BACK_OFFICE;
    // Neither the missing header nor a body that is none comes to be looked at.
    const { status, json } = await send(pathOf(path), { method, token, restaurant: null });
    assert.equal(status, 403, id);
    const words = isBackOffice
      ? /^The back office interface is for BACK_OFFICE clients, and this is a PARTNER client: ask/
      : /^This BACK_OFFICE client can use only the back office interface, not \S+: log in as/;
    assert.match(json.message, words, id);
  }
});

test('pipeline 404: in a path, unknown, foreign and broken restaurants are the same', async () => {
  const get = (merchant: string) =>
    send(`/backoffice/v1/merchants/${merchant}/payments/${PAYMENT}`, {
      token: BACK_OFFICE,
      restaurant: null,
    });
  const bodies = [];
  for (const merchant of [UNKNOWN, FOREIGN, 'x', `${OWN}0`]) {
    const { status, json } = await get(merchant);
    assert.equal(status, 404, merchant);
    bodies.push({ ...json, requestId: null, link: null });
  }
  for (const body of bodies) assert.deepEqual(body, bodies[0]);
  assert.equal((await get(OWN)).status, 200);
  assert.equal((await get(OWN.toUpperCase())).status, 200);
  assert.equal((await get(ARCHIVED)).status, 200, 'its payments live on');
});

test('pipeline 403 API-5: a restaurant in the path comes before the scope, too', async () => {
  const post = (merchant: string) =>
    send(`/backoffice/v1/merchants/${merchant}/payments/${PAYMENT}/fulfil`, {
      method: 'POST',
      token: 'Bearer payments.lifecycle:read',
      restaurant: null,
    });
  assert.equal((await post(UNKNOWN)).status, 404);
  const { status, json, headers } = await post(OWN);
  assert.equal(status, 403);
  assert.match(json.message, /lacks the scope payments.lifecycle:write/);
  assert.match(String(headers['www-authenticate']), /insufficient_scope/);
});

test('pipeline 429 API-7: a restaurant in the path has its budget, strangers share one', async () => {
  const tight = application({ perSecond: 2 });
  const get = (merchant: string, token = BACK_OFFICE) => {
    const path = `/backoffice/v1/merchants/${merchant}/payments/${PAYMENT}`;
    return send(path, { token, restaurant: null }, tight);
  };
  const { headers } = await get(OWN);
  assert.equal(headers['x-platform-ratelimit-by'], 'CLIENT_AND_RESTAURANT');
  assert.equal(headers['x-platform-ratelimit-remaining'], '1');
  assert.equal((await get(OWN)).status, 200);
  assert.equal((await get(OWN)).status, 429);
  assert.equal((await get(ARCHIVED)).status, 200, 'another budget');
  // Each names another restaurant; the address pays for all of them.
  assert.equal((await get(UNKNOWN)).status, 404);
  const refused = await get(FOREIGN, ALL);
  assert.equal(refused.status, 403);
  assert.equal(refused.headers['x-platform-ratelimit-by'], 'IP_ADDRESS');
  assert.equal((await get(PAYMENT, ALL)).status, 429);
});

test('pipeline 200: an operation without a body takes none, and no content type', async () => {
  const bodiless = operations.filter(
    ({ method, requestBody, security }) =>
      method === 'POST' && requestBody === null && security !== 'session',
  );
  assert.ok(bodiless.length > 0);
  for (const { id, path, interface: owner } of bodiless) {
    const url = address + pathOf(path);
    const authorization = owner === 'backOffice' ? BACK_OFFICE : ALL;
    const place = { 'platform-restaurant-external-id': OWN };
    const types = [undefined, 'application/json', 'application/x-www-form-urlencoded', 'nothing'];
    for (const type of types) {
      const headers = { authorization, ...place, ...(type && { 'content-type': type }) };
      const response = await fetch(url, { method: 'POST', headers });
      assert.equal(response.status, 200, `${id} ${type}`);
      await response.body?.cancel();
    }
  }
});

test('pipeline API-11: what differs at each reading has no ETag and is not stored', async () => {
  const { headers } = await send('/backoffice/v1/clock', { token: BACK_OFFICE, restaurant: null });
  assert.ok(!('etag' in headers));
  assert.equal(headers['cache-control'], 'no-store');
  const payments = await send('/backoffice/v1/payments', { token: BACK_OFFICE, restaurant: null });
  assert.ok('etag' in payments.headers);
});

test('pipeline API-7: budget headers are on every response but the login; 429 says when', async () => {
  const tight = application({ perSecond: 2 });
  const first = await send(ITEMS, {}, tight);
  assert.equal(first.headers['x-platform-ratelimit-by'], 'CLIENT_AND_RESTAURANT');
  assert.equal(first.headers['x-platform-ratelimit-remaining'], '1');
  assert.equal(first.headers['x-platform-ratelimit-reset'], String(NOW_MS / 1000 + 1));
  await send(ITEMS, {}, tight);
  const refused = await send(ITEMS, {}, tight);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await send(ITEMS, { restaurant: ARCHIVED }, tight)).status, 403, 'another budget');
  const partners = await send('/partners/v1/restaurants', {}, tight);
  assert.equal(partners.headers['x-platform-ratelimit-by'], 'IP_ADDRESS');
  assert.ok('x-platform-ratelimit-by' in (await send(ITEMS, { token: null }, tight)).headers);
  const login = { method: 'POST', body: '{}', token: null } as const;
  const loginPath = '/authentication/v1/authentication/login';
  const busy = await send(loginPath, login, tight);
  assert.ok(!('x-platform-ratelimit-by' in busy.headers));
  assert.equal(busy.status, 429);
  assert.equal((await send('/healthz', { token: null }, tight)).status, 200);
});

test('pipeline 429 API-7: restaurants out of reach use up the budget of the address', async () => {
  const tight = application({ perSecond: 3 });
  const statuses: number[] = [];
  for (const digit of '56789') {
    // Each names another restaurant that is not connected.
    const restaurant = FOREIGN.slice(0, -1) + digit;
    statuses.push((await send(ITEMS, { restaurant }, tight)).status);
  }
  assert.deepEqual(statuses, [403, 403, 403, 429, 429]);
  assert.equal((await send(ITEMS, {}, tight)).status, 200, 'its own restaurants are not touched');
});

test("pipeline API-1 API-3: no answer is the framework's own", async () => {
  const long = await send(`/config/v2/menus/${'a'.repeat(3_000)}`);
  assert.ok('platform-request-id' in long.headers);
  const { port } = new URL(address);
  const ask = async (host: readonly string[]) => {
    const lines = [`GET ${ITEMS} HTTP/1.1`, ...host, 'Expect: tea', 'Connection: close', '', ''];
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    socket.write(lines.join('\r\n'));
    return (await socket.toArray()).join('');
  };
  assert.match(await ask(['Host: a']), /^HTTP\/1\.1 417.*platform-request-id: /is);
  assert.match(await ask([]), /^HTTP\/1\.1 400.*no Host header/s);
});

test('pipeline 500: an answer that cannot be sent does not run the operation again', async () => {
  let runs = 0;
  answer = () => {
    runs += 1;
    return { json: [], headers: { 'x-broken': 'a\nb' } };
  };
  assert.equal((await send(UPDATE, { method: 'PUT', body: '[]' })).status, 500);
  assert.equal(runs, 1);
  answer = (request) => ({ json: { id: request.operation.id } });
});

test('pipeline: what is under way when the server closes is answered, then hung up', async () => {
  const closing = application();
  const hasBegun = new Promise<void>((resolve) => {
    closing.addHook('preClose', async () => resolve());
  });
  const base = await closing.listen({ host: '127.0.0.1', port: 0 });
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isRunning = () => {};
  const running = new Promise<void>((resolve) => {
    isRunning = resolve;
  });
  const before = answer;
  answer = (() => {
    isRunning();
    return held.then(() => ({ json: [] }));
  }) as unknown as typeof answer;
  const headers = { authorization: ALL, 'platform-restaurant-external-id': OWN };
  const response = fetch(base + ITEMS, { headers });
  await running;
  const closed = closing.close();
  await hasBegun;
  finish();
  assert.equal((await response).status, 200);
  assert.equal((await response).headers.get('connection'), 'close');
  await closed;
  answer = before;
});

test('pipeline API-9: type, charset and coding of a body are checked; text is UTF-8', async () => {
  const put = (headers: Record<string, string>, body = '[]') =>
    send(UPDATE, { method: 'PUT', body, headers });
  assert.equal((await put({ 'content-type': 'application/json; charset=UTF-8' })).status, 200);
  assert.equal((await put({ 'content-type': 'application/json; charset=latin1' })).status, 415);
  assert.equal((await put({ 'content-type': 'application/xml' })).status, 415);
  for (const type of ['json', 'application/', ';', ' ']) {
    const refused = await put({ 'content-type': type });
    assert.equal(refused.status, 415);
    assert.equal(refused.json.code, 20415);
    assert.ok('platform-request-id' in refused.headers);
  }
  assert.equal((await put({ 'content-encoding': 'gzip' })).status, 415);
  assert.equal((await put({}, '')).status, 400);
  const broken = await app.inject({
    method: 'PUT',
    url: UPDATE,
    payload: Buffer.from([0x22, 0xff, 0x22]),
    headers: {
      authorization: ALL,
      'platform-restaurant-external-id': OWN,
      'content-type': 'application/json',
    },
  });
  assert.equal(broken.statusCode, 400);
  assert.match(broken.json().message, /UTF-8/);
});

test('pipeline: a line of the log has operation, request id, status, time and trace', async () => {
  logged.length = 0;
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const { headers } = await send(ITEMS, { headers: { traceparent } });
  const [[fields]] = logged as [[Record<string, unknown>]];
  assert.equal(fields.requestId, headers['platform-request-id']);
  const { operation, status } = fields;
  assert.deepEqual(
    [operation, status, fields.traceId],
    ['configuration.menuItems.list', 200, traceId],
  );
  assert.equal(typeof fields.durationMs, 'number');
});

test('pipeline 500 API-1: an unexpected error is logged with its cause, and untold', async () => {
  answer = () => {
    throw new Error('password=geheim');
  };
  logged.length = 0;
  const { status, json } = await send(ITEMS);
  assert.equal(status, 500);
  assert.doesNotMatch(JSON.stringify(json), /geheim/);
  assert.equal(logged.length, 2);
  answer = (request) => ({ json: { id: request.operation.id } });
});

test('pipeline 503 API-2: while the database is away the answer says when to try again', async () => {
  answer = () => {
    const away = { code: 'ECONNREFUSED', syscall: 'connect' };
    throw Object.assign(new Error('connect ECONNREFUSED'), away);
  };
  const { status, json, headers } = await send(ITEMS);
  assert.equal(status, 503);
  assert.equal(json.code, 20503);
  assert.equal(headers['retry-after'], '2');
  answer = (request) => ({ json: { id: request.operation.id } });
});

test('pipeline API-9: unknown query parameters are ignored and a plus is a blank', async () => {
  answer = ({ sentQuery }) => ({ json: sentQuery });
  const { json } = await send(`${ITEMS}?a=1+2&a=3&%zz=4&b=%2B`);
  assert.deepEqual(json, { a: '1 2', '%zz': '4', b: '+' });
  answer = (request) => ({ json: { id: request.operation.id } });
});
