import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { operations, type Scope } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import type { FastifyInstance } from 'fastify';
import { type ApplicationDeps, createApplication } from '../../src/http/edge/application.ts';
import { ApiError } from '../../src/http/errors.ts';
import type { Answer, OperationHandlers, RestaurantContext } from '../../src/http/operation.ts';
import type { FinishedRequest, RequestObserver } from '../../src/http/pipeline/observe.ts';
import { MemoryRateCounter } from '../../src/http/pipeline/rate-limit.ts';
import { attest, NOW_MS, principal } from '../request.ts';

const OWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '33333333-3333-4333-8333-333333333333';

const told: FinishedRequest[] = [];
const logged: unknown[][] = [];
const log = (...entry: unknown[]) => void logged.push(entry);
let answer: () => Promise<Answer> = async () => ({ json: { fine: true } });
const handlers = Object.fromEntries(
  operations.map(({ id }) => [id, () => answer()]),
) as unknown as OperationHandlers;
const restaurant: RestaurantContext = {
  ...{ guid: OWN, managementGroupGuid: OTHER, timeZone: 'UTC', currencyCode: 'USD' },
  ...{ archived: false, publishNumber: 1 },
};

const application = (observers: readonly RequestObserver[], perSecond = 1_000): FastifyInstance => {
  const deps: ApplicationDeps = {
    brand: 'Platform',
    clock: new FixedClock(NOW_MS),
    realClock: new FixedClock(NOW_MS + 5),
    rateLimits: { perSecond, perQuarterHour: 100_000 },
    rateCounter: new MemoryRateCounter(),
    authenticate: async ({ headers }) => {
      if (!headers.authorization) throw new ApiError('unauthorized', 'Send a token.');
      const scopes = new Set(headers.authorization.split(' ') as Scope[]);
      const type = headers['x-back-office'] ? 'BACK_OFFICE' : 'PARTNER';
      return principal({ clientId: 'observed', type, scopes });
    },
    isSandbox: true,
    access: async (_caller, guid) =>
      guid === OWN ? { outcome: 'granted', restaurant } : { outcome: 'notGranted' },
    baseUrl: () => 'http://127.0.0.1:4400',
    log: { debug: log, info: log, warn: log, error: log },
    trustedProxies: [],
    observers,
    attest,
  };
  return createApplication(deps, handlers);
};

const app = application([{ finished: (request) => void told.push(request) }]);
before(async () => {
  await app.ready();
});
after(() => app.close());
beforeEach(() => {
  told.length = 0;
  answer = async () => ({ json: { fine: true } });
});

interface Sent {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'HEAD';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const OWN_HEADERS = {
  authorization: 'stock:read stock:write config:read',
  'platform-restaurant-external-id': OWN,
};

async function send(url: string, { method = 'GET', headers = OWN_HEADERS, body }: Sent = {}) {
  const payload = body === undefined ? {} : { payload: body };
  const response = await app.inject({ method, url, headers, ...payload });
  const [request, ...others] = told;
  assert.ok(request);
  assert.equal(others.length, 0, 'each request is told of once');
  return { response, request };
}

const UPDATE = '/stock/v1/inventory/update';

test('requests: an observer is told what was sent and answered, byte for byte', async () => {
  const headers = { ...OWN_HEADERS, 'content-type': 'application/json' };
  const { response, request } = await send(`${UPDATE}?a=b`, {
    method: 'PUT',
    headers,
    body: '[]',
  });
  assert.equal(response.statusCode, 200);
  assert.equal(request.operation?.id, 'stock.update');
  assert.equal(request.requestId, response.headers['platform-request-id']);
  assert.deepEqual([request.url, request.method, request.status], [`${UPDATE}?a=b`, 'PUT', 200]);
  assert.deepEqual([request.atMs, request.realAtMs], [NOW_MS, NOW_MS + 5]);
  assert.deepEqual(
    [String(request.requestBytes), String(request.answerBytes)],
    ['[]', '{"fine":true}'],
  );
  assert.deepEqual([request.restaurantGuid, request.refusal], [OWN, null]);
  assert.ok(request.durationMs >= 0);
});

test('requests: a refusal names the check that failed first', async () => {
  const cases: readonly (readonly [check: string, status: number, url: string, sent: Sent])[] = [
    ['token', 401, UPDATE, { method: 'PUT', headers: {} }],
    ['path', 404, '/stock/v1/nothing', {}],
    ['kind', 403, '/backoffice/v1/alarms', {}],
    ['restaurant', 400, '/stock/v1/inventory', { headers: { authorization: 'stock:read' } }],
    [
      'restaurant',
      403,
      '/stock/v1/inventory',
      { headers: { ...OWN_HEADERS, 'platform-restaurant-external-id': OTHER } },
    ],
    [
      'scope',
      403,
      UPDATE,
      { method: 'PUT', headers: { ...OWN_HEADERS, authorization: 'stock:read' } },
    ],
    [
      'contentType',
      415,
      UPDATE,
      { method: 'PUT', body: '[]', headers: { ...OWN_HEADERS, 'content-type': 'text/x' } },
    ],
    [
      'size',
      413,
      UPDATE,
      {
        method: 'PUT',
        body: ' '.repeat(1_048_577),
        headers: { ...OWN_HEADERS, 'content-type': 'application/json' },
      },
    ],
    [
      'body',
      400,
      UPDATE,
      { method: 'PUT', body: '{', headers: { ...OWN_HEADERS, 'content-type': 'application/json' } },
    ],
  ];
  for (const [check, status, url, sent] of cases) {
    told.length = 0;
    const { response, request } = await send(url, sent);
    assert.equal(response.statusCode, status, url);
    assert.equal(request.refusal?.check, check, `${url} ${response.body}`);
    assert.equal(request.refusal?.message, response.json().message);
  }
});

test('requests: a refusal by scope tells where the scope is held, and whose', async () => {
  const headers = { ...OWN_HEADERS, 'platform-restaurant-external-id': OTHER };
  const { request } = await send('/stock/v1/inventory', { headers });
  assert.equal(request.restaurantGuid, OTHER, 'though it was not reached');
  assert.equal(request.refusal?.scope, 'stock:read');
  assert.equal(request.refusal?.reach?.isPlatform, false);
});

test('requests: what the operation itself refuses is its rules', async () => {
  answer = async () => {
    throw new ApiError('unprocessable', 'No such item.');
  };
  const headers = { ...OWN_HEADERS, 'content-type': 'application/json' };
  const { request } = await send(UPDATE, { method: 'PUT', headers, body: '[]' });
  assert.deepEqual(
    [request.refusal?.check, request.refusal?.errorClass],
    ['rules', 'unprocessable'],
  );
});

test('requests: too many of them are refused by the budget', async () => {
  const few = application([{ finished: (request) => void told.push(request) }], 1);
  for (let number = 0; number < 2; number += 1) {
    await few.inject({ url: '/stock/v1/inventory', headers: OWN_HEADERS });
  }
  assert.deepEqual(
    told.map(({ refusal }) => refusal?.check),
    [undefined, 'budget'],
  );
  await few.close();
});

test('requests: an observer that fails harms no answer', async () => {
  logged.length = 0;
  const failing = application([
    {
      finished: () => {
        throw new Error('on purpose');
      },
    },
  ]);
  const response = await failing.inject({ url: '/stock/v1/inventory', headers: OWN_HEADERS });
  assert.equal(response.statusCode, 200);
  assert.match(JSON.stringify(logged), /an observer failed/);
  await failing.close();
});

async function* pieces(): AsyncGenerator<string> {
  yield 'one\n';
  yield 'two\n';
}

test('pipeline 200: a stream is sent piece by piece, and HEAD gets its headers alone', async () => {
  const headers = { authorization: 'audit:read', 'x-back-office': 'yes' };
  answer = async () => ({ stream: pieces() });
  const url = '/backoffice/v1/audit/export';
  const { response, request } = await send(url, { headers });
  assert.equal(response.body, 'one\ntwo\n');
  assert.equal(response.headers['content-type'], 'application/x-ndjson');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(request.answerBytes, null);
  told.length = 0;
  const head = await send(url, { headers, method: 'HEAD' });
  assert.deepEqual([head.response.statusCode, head.response.body], [200, '']);
});
