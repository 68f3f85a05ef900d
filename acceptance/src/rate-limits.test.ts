import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type OperationId, operationById } from '@servery/contract';
import { type Answer, header } from './answer.ts';
import { type CallOptions, type Client, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { expectedOperation, expectedOperations, isBackOffice } from './operations.ts';
import { startPlatform } from './platform.ts';
import { codeOf } from './values.ts';

const BURST = 70;
const PER_SECOND = 20;
const PER_QUARTER_HOUR = 60;
const QUARTER_HOUR_SECONDS = 900;
/** The clock of the platform is the database's: what it is told of it may have been on its way. */
const TOLERANCE_SECONDS = 5;

// The default of 20 a second, and a budget for 15 minutes that a test can use up.
const platform = await startPlatform({
  settings: { SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: String(PER_QUARTER_HOUR) },
});
after(() => platform.stop());

const callers = new DemoCallers(platform);

const partner = await callers.as('partner');
const group = await callers.as('group');
const other = await callers.as('other');
const operator = await callers.as('operator');
const [restaurant, second, third = second] = openRestaurants(platform.demo);
const name = (suffix: string) => `X-${platform.brand}-RateLimit-${suffix}`;

const list = (client: Client, at: string) =>
  client.send(expectedOperation('stock.list'), { restaurant: at, withoutRetry: true });

/** Asks until the budget of the quarter of an hour is used up. */
async function exhaust(send: () => Promise<{ status: number; headers: object }>): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(Array.from({ length: PER_SECOND }, send));
    const waits = answers.map(({ headers }) => Number(Reflect.get(headers, 'retry-after') ?? 0));
    if (Math.max(...waits) > 1) return;
    await wait(Math.max(...waits) * 1000);
  }
  assert.fail(`the budget of ${PER_QUARTER_HOUR} was never used up`);
}

async function platformSeconds(): Promise<number> {
  const { headers } = await callers.anonymous().call('health.live', 200);
  return Date.parse(String(headers.date)) / 1000;
}

const quarterHourOf = (seconds: number) => Math.floor(seconds / QUARTER_HOUR_SECONDS);
const firstQuarterHour = quarterHourOf(await platformSeconds());

/**
 * The refusal of a call whose budget is used up. Where a quarter of an hour has ended since the
 * tests began, the budget has come back: it is used up anew.
 */
async function refusalOf(client: Client, id: string, options: CallOptions): Promise<Answer> {
  const operation = expectedOperation(id);
  for (let asked = 0; ; asked += 1) {
    const answer = await client.send(operation, { ...options, withoutRetry: true });
    if (answer.status === 429) return answer;
    const isAnew = quarterHourOf((await platformSeconds()) + TOLERANCE_SECONDS) > firstQuarterHour;
    const isRight = isAnew && asked < 2 * PER_QUARTER_HOUR;
    assert.ok(isRight, `${answer.method} ${answer.path}: ${answer.status}, not 429`);
  }
}

test('stock.list 200 429 API-7: of a burst, 20 a second are served', async () => {
  const before = await platformSeconds();
  const burst = () => Promise.all(Array.from({ length: BURST }, () => list(group, restaurant)));
  const answers = await burst();
  // It is more than a quarter of an hour has, but one of those may end in the middle of it.
  if (answers.every(({ status }) => status === 200)) answers.push(...(await burst()));
  const after = await platformSeconds();
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(served.length + refused.length, answers.length);
  assert.ok(served.length >= PER_SECOND, `${served.length} were served`);
  assert.ok(refused.length > 0);
  for (const answer of refused) {
    const reset = Number(header(answer, name('Reset')));
    const countedAt = reset - Number(header(answer, 'retry-after'));
    assert.equal(header(answer, name('Remaining')), '0');
    const isThen = countedAt >= before - TOLERANCE_SECONDS && countedAt <= after + 1;
    assert.ok(isThen, `counted at ${countedAt}, between ${before} and ${after}`);
    assert.ok(codeOf(answer) > 0);
  }
});

test('stock.list 200 API-7: the budgets of other restaurants and clients are untouched', async () => {
  const elsewhere = await list(group, second);
  assert.equal(elsewhere.status, 200);
  const another = await list(partner, restaurant);
  assert.equal(another.status, 200);
  assert.equal(header(another, name('By')), header(elsewhere, name('By')), 'the same kind of key');
});

/** Sends all at once until their answers are of one second. */
async function inOneSecond(sendAll: () => Promise<Answer[]>): Promise<Answer[]> {
  const answers = await sendAll();
  const resets = new Set(answers.map((answer) => header(answer, name('Reset'))));
  if (resets.size === 1) return answers;
  // Some of them have used up a part of the second that may still last.
  await wait(1000);
  return await inOneSecond(sendAll);
}

function assertRefused(answers: readonly Answer[]): void {
  for (const answer of answers) {
    assert.equal(header(answer, name('By')), 'ENDPOINT');
    assert.equal(header(answer, name('Remaining')), '0');
    assert.equal(header(answer, 'retry-after'), '1');
  }
}

const isRefused = ({ status }: Answer) => status === 429;

test('menus.get 200 304 429 MENU-27: a limit of its own, and the nearest is shown', async () => {
  const menus = (headers = {}) =>
    group.send(expectedOperation('menus.get'), { restaurant, headers, withoutRetry: true });
  const answers = await inOneSecond(async () => {
    const etag = String(header(await group.call('menus.get', 200, { restaurant }), 'etag'));
    return await Promise.all([menus(), menus({ 'if-none-match': etag }), menus()]);
  });
  const refused = answers.filter(isRefused);
  assert.ok(refused.length >= 2, 'one a second is served, a 304 included');
  assertRefused(refused);
  const metadata = await group.call('menus.getMetadata', 200, { restaurant });
  assert.notEqual(header(metadata, name('By')), 'ENDPOINT');
});

test('orders.listBulk 200 429 ORD-10: five a second for each client and restaurant', async () => {
  const query = { businessDate: '20260101' };
  const bulk = (client: Client, at: string) =>
    client.send(expectedOperation('orders.listBulk'), {
      ...{ query, restaurant: at, withoutRetry: true },
    });
  const [ofOther, elsewhere, ...answers] = await inOneSecond(() => {
    const seven = Array.from({ length: 7 }, () => bulk(group, second));
    return Promise.all([bulk(partner, second), bulk(group, third), ...seven]);
  });
  assert.deepEqual([ofOther?.status, elsewhere?.status], [200, 200]);
  const refused = answers.filter(isRefused);
  assert.equal(refused.length, 2);
  assertRefused(refused);
  const served = answers.filter((answer) => !isRefused(answer));
  const left = served.map((answer) => Number(header(answer, name('Remaining'))));
  assert.deepEqual(left.sort(), [0, 1, 2, 3, 4]);
});

test('stock.list 200 API-7: Remaining counts down within a window that ends at Reset', async () => {
  const first = await list(group, third);
  const next = await list(group, third);
  const [before, later] = [first, next].map((answer) => ({
    remaining: Number(header(answer, name('Remaining'))),
    reset: Number(header(answer, name('Reset'))),
  }));
  assert.ok(before && later && before.remaining < PER_SECOND);
  if (before.reset === later.reset) assert.equal(later.remaining, before.remaining - 1);
  else assert.ok(later.reset > before.reset);
});

test('stock.list 429 401 405 API-5: the budget comes after the path', async () => {
  await exhaust(() => list(partner, second));
  await refusalOf(partner, 'stock.list', { restaurant: second });
  const query = { status: 'nonsense' };
  await refusalOf(partner, 'stock.list', { restaurant: second, query });
  await callers.anonymous().call('stock.list', 401, { restaurant: second });
  await partner.call('stock.list', 405, { restaurant: second, method: 'PATCH' });
  await exhaust(() => list(other, restaurant));
  await refusalOf(other, 'stock.list', { restaurant });
});

const limited = expectedOperations.filter(({ id }) =>
  operationById(id as OperationId).statuses.includes(429),
);

test('stock.list 429 API-7: the contract declares a budget everywhere', () => {
  const ids = new Set(limited.map(({ id }) => id));
  for (const { id, token } of expectedOperations) {
    if (token || id === 'auth.login') assert.ok(ids.has(id), `${id} declares no 429`);
  }
});

test('partners.restaurants.list 429 API-7: the budget of an address', async () => {
  const operation = expectedOperation('partners.restaurants.list');
  await exhaust(() => partner.send(operation, { withoutRetry: true }));
  const answer = await refusalOf(other, 'partners.restaurants.list', {});
  const byRestaurant = await partner.call('stock.list', 200, { restaurant: third });
  assert.notEqual(header(answer, name('By')), header(byRestaurant, name('By')));
  await refusalOf(callers.anonymous(), 'auth.login', { json: {} });
});

test('backOffice.payments.get 404 429 API-7: the budget of the restaurant in the path', async () => {
  const operation = expectedOperation('backOffice.payments.get');
  const paymentUuid = randomUUID();
  const at = (merchantUuid: string) => ({
    params: { merchantUuid, paymentUuid },
    withoutRetry: true,
  });
  const get = (merchantUuid: string) => operator.send(operation, at(merchantUuid));
  await exhaust(() => get(second));
  await refusalOf(operator, 'backOffice.payments.get', at(second));
  assert.equal((await get(third)).status, 404, 'that of another restaurant is untouched');
});

for (const { id, path, method, token, restaurant: rule } of limited) {
  test(`${id} 429 API-7: over the budget it is refused, with the seconds to wait`, async () => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [String(name), second]);
    const account = isBackOffice({ id }) ? operator : partner;
    const answer = await refusalOf(token ? account : callers.anonymous(), id, {
      params: Object.fromEntries(names),
      ...(rule === 'header' ? { restaurant: second } : {}),
      ...(method === 'GET' ? {} : { json: {} }),
    });
    assert.ok(Number(header(answer, 'retry-after')) <= 900);
  });
}
