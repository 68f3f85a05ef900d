import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type OperationId, operationById } from '@servery/contract';
import { header } from './answer.ts';
import { type Client, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { expectedOperation, expectedOperations, isBackOffice } from './operations.ts';
import { startPlatform } from './platform.ts';
import { codeOf } from './values.ts';

const BURST = 70;
const PER_SECOND = 20;
const PER_QUARTER_HOUR = 60;
const QUARTER_HOUR_SECONDS = 900;
const AMPLE_SECONDS = 30;

// The default of 20 a second, and a budget for 15 minutes that a test can use up.
const platform = await startPlatform({
  settings: { SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: String(PER_QUARTER_HOUR) },
});
after(() => platform.stop());

const callers = new DemoCallers(platform);

/** Waits over the end of a quarter of an hour, where used up budgets would come back in a test. */
async function awaitAmpleWindow(): Promise<void> {
  const { headers } = await callers.anonymous().call('health.live', 200);
  const left =
    QUARTER_HOUR_SECONDS - ((Date.parse(String(headers.date)) / 1000) % QUARTER_HOUR_SECONDS);
  if (left < AMPLE_SECONDS) await wait((left + 1) * 1000);
}

await awaitAmpleWindow();
const partner = await callers.as('partner');
const group = await callers.as('group');
const other = await callers.as('other');
const operator = await callers.as('operator');
const [restaurant, second, third = second] = openRestaurants(platform.demo);
const name = (suffix: string) => `X-${platform.brand}-RateLimit-${suffix}`;

const list = (client: Client, at: string) =>
  client.send(expectedOperation('stock.list'), { restaurant: at, impatient: true });

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

test('stock.list 200 429 C7: of a burst, 20 a second are served', async () => {
  const answers = await Promise.all(Array.from({ length: BURST }, () => list(group, restaurant)));
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(served.length + refused.length, BURST);
  assert.ok(served.length >= PER_SECOND, `${served.length} were served`);
  assert.ok(refused.length > 0);
  for (const answer of refused) {
    const reset = Number(header(answer, name('Reset')));
    const now = Math.floor(Date.parse(String(header(answer, 'date'))) / 1000);
    assert.equal(header(answer, name('Remaining')), '0');
    assert.ok(Math.abs(reset - now - Number(header(answer, 'retry-after'))) <= 1);
    assert.ok(codeOf(answer) > 0);
  }
});

test('stock.list 200 C7: the budgets of other restaurants and clients are untouched', async () => {
  const elsewhere = await list(group, second);
  assert.equal(elsewhere.status, 200);
  const another = await list(partner, restaurant);
  assert.equal(another.status, 200);
  assert.equal(header(another, name('By')), header(elsewhere, name('By')), 'the same kind of key');
});

test('stock.list 200 C7: Remaining counts down within a window that ends at Reset', async () => {
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

test('stock.list 429 401 405 C5: the budget comes after the path', async () => {
  await exhaust(() => list(partner, second));
  await partner.call('stock.list', 429, { restaurant: second });
  await partner.call('stock.list', 429, { restaurant: second, query: { status: 'nonsense' } });
  await callers.anonymous().call('stock.list', 401, { restaurant: second });
  await partner.call('stock.list', 405, { restaurant: second, method: 'PATCH' });
  await exhaust(() => list(other, restaurant));
  await other.call('stock.list', 429, { restaurant });
});

const limited = expectedOperations.filter(({ id }) =>
  operationById(id as OperationId).statuses.includes(429),
);

test('stock.list 429 C7: the contract declares a budget everywhere', () => {
  const ids = new Set(limited.map(({ id }) => id));
  for (const { id, token } of expectedOperations) {
    if (token || id === 'auth.login') assert.ok(ids.has(id), `${id} declares no 429`);
  }
});

test('partners.restaurants.list 429 C7: the budget of an address', async () => {
  const operation = expectedOperation('partners.restaurants.list');
  await exhaust(() => partner.send(operation, { impatient: true }));
  const answer = await other.call('partners.restaurants.list', 429);
  const byRestaurant = await partner.call('stock.list', 200, { restaurant: third });
  assert.notEqual(header(answer, name('By')), header(byRestaurant, name('By')));
  await callers.anonymous().call('auth.login', 429, { json: {} });
});

test('backOffice.payments.get 404 429 C7: the budget of the restaurant in the path', async () => {
  const operation = expectedOperation('backOffice.payments.get');
  const paymentUuid = randomUUID();
  const get = (merchantUuid: string) =>
    operator.send(operation, { params: { merchantUuid, paymentUuid }, impatient: true });
  await exhaust(() => get(second));
  assert.equal((await get(second)).status, 429);
  assert.equal((await get(third)).status, 404, 'that of another restaurant is untouched');
});

for (const { id, path, method, token, restaurant: rule } of limited) {
  test(`${id} 429 C7: over the budget it is refused, with the seconds to wait`, async () => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [String(name), second]);
    const account = isBackOffice({ id }) ? operator : partner;
    const answer = await (token ? account : callers.anonymous()).call(id, 429, {
      params: Object.fromEntries(names),
      ...(rule === 'header' ? { restaurant: second } : {}),
      ...(method === 'GET' ? {} : { json: {} }),
    });
    assert.ok(Number(header(answer, 'retry-after')) <= 900);
  });
}
