import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { LoggedRequest } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import type { Principal } from '../../src/http/operation.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import { watchLogQueue } from '../../src/requests/log-metrics.ts';
import { requestLogHandlers } from '../../src/requests/office/handlers.ts';
import { RequestStreams } from '../../src/requests/streams.ts';
import { trimLog } from '../../src/requests/trim-log.ts';
import { workBudget } from '../../src/requests/work-budget.ts';
import { createLogWriter } from '../../src/requests/write-log.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { callOperation, NOW_MS, principal, type TestAnswer } from '../request.ts';
import { insertRestaurant } from '../rows.ts';
import { finishedRequest, refusal } from './finished-request.ts';
import { deleteAllRequests } from './log-rows-store.ts';

let own: TestDatabase;
const realClock = new FixedClock(NOW_MS);
const vault = createVault(Buffer.alloc(32, 7));
const served = () => {};
const unlimited = { allowedMs: () => Number.POSITIVE_INFINITY, nowMs: () => 0, served };
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
const operator = principal({ type: 'BACK_OFFICE' });

before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());
beforeEach(() => deleteAllRequests(own.database.sql));

const writer = (parts: Partial<Parameters<typeof createLogWriter>[0]> = {}) => {
  const counts = { written: 0, dropped: 0, failed: 0 };
  const made = createLogWriter({
    ...{ database: own.database, brand: 'Platform', realClock, budget: unlimited, onError },
    count: (outcome, requests) => {
      counts[outcome] += requests;
    },
    ...parts,
  });
  return { ...made, counts };
};

async function log(...requests: FinishedRequest[]): Promise<void> {
  const { finished, flush } = writer();
  for (const request of requests) finished(request);
  await flush();
}

const handlers = () =>
  requestLogHandlers({
    database: own.database,
    vault,
    requestStreams: new RequestStreams({ database: own.database, realClock, onError }),
    isSandbox: true,
    flushLog: async () => {},
    // Tested on a whole platform.
    ...{ realClock, brand: 'Platform', testCards: [], replays: () => null },
    pause: async () => {},
  });

type Query = Readonly<Record<string, string>>;

async function list(query: Query = {}, by: Principal = operator): Promise<TestAnswer> {
  const parts = { principal: by, query };
  return await callOperation(handlers(), 'backOffice.requests.list', parts);
}

async function found(query: Query = {}, by: Principal = operator): Promise<string[]> {
  const { status, body } = await list(query, by);
  assert.equal(status, 200, JSON.stringify(body));
  return (body.results as LoggedRequest[]).map(({ requestId }) => requestId);
}

async function get(requestId: string, by: Principal = operator): Promise<TestAnswer> {
  const parts = { principal: by, params: { requestId } };
  return await callOperation(handlers(), 'backOffice.requests.get', parts);
}

test('backOffice.requests.get 200: what was sent, answered, and why it was refused', async () => {
  const restaurantGuid = newGuid();
  const request = finishedRequest('stock.update', {
    status: 403,
    restaurantGuid,
    requestBytes: Buffer.from('[{"guid":"g","status":"OUT_OF_STOCK"}]'),
    answerBytes: Buffer.from('{"status":403}'),
    refusal,
  });
  await log(request);
  const { status, body } = await get(request.requestId);
  assert.equal(status, 200);
  const { errorClass: _, ...told } = refusal;
  assert.deepEqual(body.refusal, told);
  assert.deepEqual(
    [body.operation, body.status, body.durationMs, body.restaurantGuid],
    ['stock.update', 403, 1.25, restaurantGuid],
  );
  assert.equal(body.requestBody, '[{"guid":"g","status":"OUT_OF_STOCK"}]');
  assert.equal(body.answerBody, '{"status":403}');
});

test('backOffice.requests.get 200: rule and field are for readers of the whole log', async () => {
  const partnerGuid = newGuid();
  const faults = [{ where: 'encryptedCardData', message: 'cardNumber fails the Luhn check' }];
  const message = 'The card data could not be verified.';
  const request = finishedRequest('creditCards.authorize', {
    status: 422,
    caller: principal({ partnerGuid }),
    refusal: { ...refusal, check: 'rules', message, faults },
  });
  await log(request);
  const told = async (by: Principal) => {
    const one = (await get(request.requestId, by)).body.refusal;
    const { results } = (await list({ requestId: request.requestId }, by)).body;
    assert.deepEqual(results[0].refusal, one, 'the list tells the same');
    return [one.message, one.faults];
  };
  const shown = [{ field: 'encryptedCardData', rule: 'cardNumber fails the Luhn check' }];
  assert.deepEqual(await told(operator), [message, shown]);
  const developer = principal({ type: 'BACK_OFFICE', partnerGuid });
  assert.deepEqual(await told(developer), [message, []], 'nobody tries out what a card holds');
});

test('backOffice.requests.list 200: every filter by itself and together', async () => {
  const [client, other] = [principal(), principal()];
  const restaurantGuid = newGuid();
  const later = NOW_MS + 1_000;
  const requests = [
    finishedRequest('stock.list', { caller: client, status: 200 }),
    finishedRequest('stock.update', {
      caller: client,
      status: 403,
      restaurantGuid,
      realAtMs: later,
    }),
    finishedRequest('stock.update', { caller: other, status: 422, realAtMs: later }),
    finishedRequest(null, { caller: null, status: 404 }),
  ];
  await log(...requests);
  const expected = async (query: Query, ...which: number[]) => {
    const ids = which.map((index) => requests[index]?.requestId);
    assert.deepEqual((await found(query)).toSorted(), ids.toSorted(), JSON.stringify(query));
  };
  await expected({}, 0, 1, 2, 3);
  await expected({ clientId: client.clientId }, 0, 1);
  await expected({ restaurantGuid }, 1);
  await expected({ operation: 'stock.update' }, 1, 2);
  await expected({ status: '403' }, 1);
  await expected({ status: '4xx' }, 1, 2, 3);
  await expected({ status: '5xx' });
  await expected({ requestId: requests[3]?.requestId ?? '' }, 3);
  await expected({ from: new Date(later).toISOString() }, 1, 2);
  await expected({ to: new Date(later).toISOString() }, 0, 3);
  await expected({ clientId: client.clientId, status: '4xx', operation: 'stock.update' }, 1);
});

test('backOffice.requests.list 200: requests of a person are found by the person', async () => {
  const personGuid = newGuid();
  const person = {
    ...{ type: 'PERSON' as const, personGuid, name: 'Ada', email: 'ada@example.com' },
    ...{ sessionGuid: newGuid(), grants: [] },
  };
  const request = finishedRequest('backOffice.alarms.list', { caller: person });
  await log(request, finishedRequest('backOffice.alarms.list'));
  assert.deepEqual(await found({ personGuid }), [request.requestId]);
  const { body } = await get(request.requestId);
  assert.deepEqual([body.personGuid, body.clientId], [personGuid, null]);
});

test('backOffice.requests.list 200: pages hold each request once, the newest first', async () => {
  // Two of each instant, so that the order needs more than the instant.
  const requests = Array.from({ length: 7 }, (_, number) =>
    finishedRequest('stock.list', { realAtMs: NOW_MS + Math.floor(number / 2) }),
  );
  await log(...requests);
  const all = await found();
  assert.equal(all.length, 7);
  const paged: string[] = [];
  for (let query: Query = { pageSize: '2' }; ; ) {
    const { body } = await list(query);
    paged.push(...(body.results as LoggedRequest[]).map(({ requestId }) => requestId));
    if (body.nextPageToken === null) break;
    query = { pageToken: body.nextPageToken };
  }
  assert.deepEqual(paged, all);
});

test('backOffice.requests 200 404: restaurant, group and partner see what is theirs', async () => {
  const { sql } = own.database;
  const ours = await insertRestaurant(sql);
  const theirs = await insertRestaurant(sql);
  const partnerGuid = newGuid();
  const atOurs = finishedRequest('stock.list', { restaurantGuid: ours.guid });
  const atTheirs = finishedRequest('stock.list', { restaurantGuid: theirs.guid });
  const ofPartner = finishedRequest('partners.restaurants.list', {
    caller: principal({ partnerGuid }),
  });
  const ofGroup = finishedRequest('restaurants.listGroup', {
    caller: principal({ type: 'CUSTOMER', managementGroupGuid: ours.managementGroupGuid }),
  });
  await log(atOurs, atTheirs, ofPartner, ofGroup);
  const { managementGroupGuid } = ours;
  const group = principal({ type: 'BACK_OFFICE', managementGroupGuid });
  const partner = principal({ type: 'BACK_OFFICE', partnerGuid });
  assert.deepEqual(
    (await found({}, group)).toSorted(),
    [atOurs.requestId, ofGroup.requestId].toSorted(),
  );
  assert.deepEqual(await found({}, partner), [ofPartner.requestId]);
  assert.equal((await get(atOurs.requestId, group)).status, 200);
  const refused = await get(atTheirs.requestId, group);
  const unknown = await get(newGuid(), group);
  assert.deepEqual([refused.status, unknown.status], [404, 404]);
  assert.equal(refused.body.message, unknown.body.message, 'the same words for both');
  assert.deepEqual(await found({ restaurantGuid: theirs.guid }, group), []);
});

test('backOffice.requests.list 400: what is no filter is told', async () => {
  for (const [query, told] of [
    [{ status: '600' }, /^status must be a status/],
    [{ status: '4x' }, /^status/],
    [{ requestId: 'x' }, /^requestId must be a GUID/],
    [{ restaurantGuid: 'x' }, /^restaurantGuid must be a GUID/],
    [{ personGuid: 'x' }, /^personGuid must be a GUID/],
    [{ clientId: 'no client' }, /^clientId must be a client id/],
    [{ from: 'now' }, /^from must be an instant/],
    [{ pageSize: '201' }, /^pageSize/],
    [{ operation: 'x\0' }, /^operation/],
  ] as const) {
    const { status, body } = await list(query);
    assert.equal(status, 400, JSON.stringify(query));
    assert.match(body.message, told);
  }
});

test('requests: when the queue is full the oldest one that was not refused goes', async () => {
  const { finished, flush, counts } = writer({ limits: { requests: 3, bodyBytes: 1_000 } });
  const refused = finishedRequest('stock.update', { status: 403, refusal });
  const [first, second, third] = [1, 2, 3].map(() => finishedRequest('stock.list'));
  for (const request of [first, refused, second, third]) if (request) finished(request);
  assert.equal(counts.dropped, 1);
  await flush();
  assert.deepEqual(
    new Set(await found()),
    new Set([refused, second, third].map((request) => request?.requestId)),
  );
  finished(finishedRequest('stock.list', { answerBytes: Buffer.alloc(600, ' ') }));
  finished(finishedRequest('stock.list', { answerBytes: Buffer.alloc(600, ' ') }));
  assert.equal(counts.dropped, 2, 'by the room of its bodies too');
});

test('requests: a flush ends with its budget, and the end writes all', async () => {
  let nowMs = 0;
  const budget = { allowedMs: () => 3, nowMs: () => nowMs++, served };
  const { finished, flush, flushAll, counts } = writer({ budget });
  for (let number = 0; number < 20; number += 1) finished(finishedRequest('stock.list'));
  await flush();
  assert.ok(counts.written > 0 && counts.written < 20, String(counts.written));
  await flushAll();
  assert.equal(counts.written, 20);
  assert.equal((await found()).length, 20);
});

test('requests: what one request took beyond the budget is made up for later', async () => {
  let nowMs = 0;
  const budget = { allowedMs: () => 3, nowMs: () => (nowMs += 10), served };
  const { finished, flush, counts } = writer({ budget });
  for (let number = 0; number < 5; number += 1) finished(finishedRequest('stock.list'));
  const written: number[] = [];
  for (let time = 1; time <= 21; time += 1) {
    await flush();
    written.push(counts.written);
  }
  // Each takes 30 ms, which is the share of ten times.
  assert.deepEqual(
    [written[0], written[9], written[10], written[19], written[20]],
    [1, 1, 2, 2, 3],
  );
});

test('backOffice.metrics: how many requests wait for the log, and for how long', async () => {
  const metrics = createMetrics();
  const { finished, flush, waiting } = writer();
  watchLogQueue(metrics, waiting);
  const told = async () =>
    [...(await metrics.text()).matchAll(/servery_request_log_waiting\{what="\w+"\} (\S+)/g)].map(
      ([, value]) => Number(value),
    );
  assert.deepEqual(await told(), [0, 0], 'nothing waits');
  finished(finishedRequest('stock.list', { realAtMs: NOW_MS - 3_000, durationMs: 500 }));
  finished(finishedRequest('stock.list', { realAtMs: NOW_MS - 1_000 }));
  const refused = { realAtMs: NOW_MS - 2_000, durationMs: 0, status: 403, refusal };
  finished(finishedRequest('stock.update', refused));
  assert.deepEqual(await told(), [3, 2.5], 'since it was answered');
  await flush();
  assert.deepEqual(await told(), [0, 0]);
});

test('requests: a busy process gives a hundredth of its time, an idle one a quarter of it', () => {
  let activity = { activeMs: 0, idleMs: 0 };
  const { allowedMs } = workBudget(
    () => activity,
    () => 0,
  );
  activity = { activeMs: 1_000, idleMs: 0 };
  assert.equal(allowedMs(), 10);
  activity = { activeMs: 1_000, idleMs: 1_000 };
  assert.equal(allowedMs(), 250);
  assert.equal(allowedMs(), 0, 'no time went by');
});

test('requests: while a request is under way nothing is idle, though the event loop waits', () => {
  let activity = { activeMs: 0, idleMs: 0 };
  let nowMs = 0;
  const { allowedMs, served } = workBudget(
    () => activity,
    () => nowMs,
  );
  const live = (activeMs: number, idleMs: number) => {
    activity = { activeMs: activity.activeMs + activeMs, idleMs: activity.idleMs + idleMs };
    nowMs += activeMs + idleMs;
  };
  live(100, 900);
  served(1_000);
  assert.equal(allowedMs(), 10, 'it waited for the database all the time');
  live(100, 500);
  served(600);
  served(600);
  live(0, 400);
  assert.equal(allowedMs(), 100, 'requests beside each other count once');
  live(0, 1_000);
  served(5_000);
  assert.equal(allowedMs(), 10, 'what was counted before is not counted again');
  live(0, 1_000);
  assert.equal(allowedMs(), 250);
});

test('requests: what the database takes for it counts, up to a bound', async () => {
  let nowMs = 0;
  let insertMs = 100;
  const sql = new Proxy(own.database.sql, {
    apply(target, self, given) {
      nowMs += insertMs;
      return Reflect.apply(target, self, given);
    },
  });
  const budget = { allowedMs: () => 10, nowMs: () => nowMs, served };
  const { finished, flush, counts } = writer({ budget, database: { sql } });
  const flushes = async (times: number) => {
    for (let time = 0; time < times; time += 1) await flush();
    return counts.written;
  };
  for (let number = 0; number < 250; number += 1) finished(finishedRequest('stock.list'));
  assert.equal(await flushes(10), 50, 'one batch took the share of ten times');
  insertMs = 1_000_000;
  assert.equal(await flushes(1), 100);
  insertMs = 0;
  assert.equal(await flushes(100), 100, 'a second is made up for');
  assert.equal(await flushes(1), 250);
});

test('requests: a log that is not taken is counted and told, and holds nobody up', async () => {
  const failing = { sql: (() => Promise.reject(new Error('away'))) as never };
  const { finished, flush, counts } = writer({ database: failing });
  finished(finishedRequest('stock.list'));
  errors.length = 0;
  await flush();
  assert.deepEqual([counts.failed, counts.written, errors.length], [1, 0, 1]);
});

test('requests: a row that the database refuses takes no others with it', async () => {
  const { finished, flush, counts } = writer();
  errors.length = 0;
  for (const remoteAddress of ['127.0.0.1', null as never, '127.0.0.2']) {
    finished(finishedRequest('stock.list', { remoteAddress }));
  }
  await flush();
  assert.deepEqual([counts.failed, counts.written, errors.length], [1, 2, 1]);
});

test('requests: what is too old, too much of one client or too big is removed', async () => {
  const { database } = own;
  const limits = { days: 7, requestsPerClient: 100, mebibytes: 1 };
  const trim = (parts: Partial<typeof limits> = {}) =>
    trimLog({ database, realClock, limits: { ...limits, ...parts } });
  const [loud, quiet] = [principal(), principal()];
  await log(finishedRequest('stock.list', { caller: quiet }));
  realClock.advance(1_000);
  const many = Array.from({ length: 5 }, (_, number) =>
    finishedRequest('stock.list', { caller: loud, realAtMs: NOW_MS + number }),
  );
  await log(...many);
  assert.equal(await trim(), 0);
  assert.equal(await trim({ requestsPerClient: 2 }), 3);
  const newest = many.slice(-2).map(({ requestId }) => requestId);
  assert.deepEqual((await found({ clientId: loud.clientId })).toSorted(), newest.toSorted());
  assert.equal((await found({ clientId: quiet.clientId })).length, 1, 'a loud one takes no room');
  realClock.advance(7 * 86_400_000 - 500);
  assert.equal(await trim(), 1, 'the first is older than seven days');
  realClock.advance(1_000);
  assert.equal(await trim(), 2);
  const long = Buffer.from(JSON.stringify({ name: 'x'.repeat(16_000) }));
  for (let batch = 0; batch < 3; batch += 1) {
    realClock.advance(1_000);
    await log(
      ...Array.from({ length: 40 }, () => finishedRequest('stock.list', { answerBytes: long })),
    );
  }
  const removed = await trim();
  assert.ok(removed >= 40 && removed < 120, String(removed));
  assert.ok((await found({ pageSize: '200' })).length > 0);
  assert.equal(await trim(), 0, 'and once is enough');
});
