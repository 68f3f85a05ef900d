import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type OperationId, operationById } from '@servery/contract';
import { decodeJwt } from 'jose';
import { type Answer, header } from './answer.ts';
import { type CallOptions, type Client, DemoCallers, logIn } from './client.ts';
import { itemGuids, openRestaurants } from './fixtures.ts';
import { expectedOperation, expectedOperations, isBackOffice } from './operations.ts';
import { authorize, paymentBody } from './payment.ts';
import { startPlatform } from './platform.ts';
import { codeOf, messageOf, nth } from './values.ts';

const BURST = 70;
const PER_SECOND = 20;
/** Enough for the tests of the brand. */
const PER_QUARTER_HOUR = 80;
const QUARTER_HOUR_SECONDS = 900;
/** The clock of the platform is the database's: what it is told of it may have been on its way. */
const TOLERANCE_SECONDS = 5;

// A platform of another brand, with every switch of the decisions thrown the other way. It has data
// of its own: beside the shared one it would replace tokens there, which name another issuer, and
// send webhooks of another brand. It has the default of 20 a second, and a budget for 15 minutes that
// the tests of the limits, the last ones here, can use up.
const started = await startPlatform({
  settings: {
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: String(PER_QUARTER_HOUR),
    SERVERY_BRAND: 'Acme',
    SERVERY_TOKEN_LIFETIME_SECONDS: '3600',
    SERVERY_WIRE_PAYMENT_AMOUNT_SHAPE: 'object',
    SERVERY_PAYMENTS_REPEAT: 'conflict',
    SERVERY_STOCK_ZERO_QUANTITY: 'outOfStock',
    SERVERY_WIRE_CONNECTED_RESTAURANTS_SHAPE: 'array',
    SERVERY_RESTAURANTS_GROUP_LIST: 'reachable',
  },
});
after(() => started.stop());

const platform = {
  ...started,
  answers: {
    'creditCards.authorize': 'PaymentStatusOfObjects',
    'partners.connectedRestaurants.list': 'PaginatedResponse[]',
    // Its enums have names of the brand.
    'menus.get': 'object',
  },
};
const { demo } = platform;
const callers = new DemoCallers(platform);
const anonymous = callers.anonymous();
const partner = await callers.as('partner');
const group = await callers.as('group');
const other = await callers.as('other');
const operator = await callers.as('operator');
const [restaurant, second, third = second] = openRestaurants(demo);

test('auth.login 200 B0: a client of a brand needs only the base address', async () => {
  const { clientId, clientSecret } = demo.clients.partner;
  const post = await fetch(`${platform.baseUrl}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType: 'ACME_MACHINE_CLIENT' }),
  });
  assert.equal(post.status, 200);
  const { token } = (await post.json()) as { token: { accessToken: string } };
  const headers = {
    authorization: `Bearer ${token.accessToken}`,
    'Acme-Restaurant-External-ID': restaurant,
  };
  const menus = await fetch(`${platform.baseUrl}/config/v2/menus`, { headers });
  assert.equal(menus.status, 200);
  for (const name of ['Acme-Request-ID', 'X-Acme-RateLimit-By', 'X-Acme-RateLimit-Remaining']) {
    assert.ok(menus.headers.get(name), name);
  }
  assert.ok(menus.headers.get('X-Acme-RateLimit-Reset'));
  const own = [...menus.headers.keys()].filter((name) => /platform|servery/i.test(name));
  assert.deepEqual(own, []);
});

test('configuration.menuItems.list 200 B0: the next page header is of the brand', async () => {
  let pages = 0;
  for (const guid of openRestaurants(demo)) {
    const answer = await partner.call('configuration.menuItems.list', 200, { restaurant: guid });
    const next = header(answer, 'Acme-Next-Page-Token');
    if (next === undefined) continue;
    const query = { pageToken: next };
    await partner.call('configuration.menuItems.list', 200, { restaurant: guid, query });
    pages += 1;
  }
  assert.ok(pages > 0, 'some demo restaurant has more than one page');
});

test('configuration.serviceCharges.list 200 304 B0 CFG-4: a destination is the brand', async () => {
  const token = await logIn(platform, demo.clients.partner);
  const read = async (path: string, etag = '') => {
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag };
    const own = { 'Acme-Restaurant-External-ID': restaurant };
    return await fetch(`${platform.baseUrl}${path}`, { headers: { ...headers, ...own } });
  };
  const list = await read('/config/v2/serviceCharges');
  const charges = (await list.json()) as { guid: string; destination: string }[];
  assert.deepEqual(
    charges.map(({ destination }) => destination).filter((each) => /ACME|PLATFORM/.test(each)),
    ['ACME'],
  );
  const { guid } = nth(
    charges.filter(({ destination }) => destination === 'ACME'),
    0,
    'charge',
  );
  const one = await read(`/config/v2/serviceCharges/${guid}`);
  assert.equal(((await one.json()) as { destination: string }).destination, 'ACME');
  const again = await read('/config/v2/serviceCharges', list.headers.get('etag') ?? '');
  assert.equal(again.status, 304);
});

test('docs.openapi 200 304 404 B0: the documents served are those of the brand', async () => {
  const index = await (await fetch(platform.baseUrl)).text();
  const files = [...index.matchAll(/href="[^"]*(\/openapi\/[\w-]+\.json)"/g)].map(
    ([, path = '']) => path,
  );
  assert.equal(files.length, 11);
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${platform.baseUrl}${path}`, init);
    if (answer.status !== 429) return answer;
    await wait(Number(answer.headers.get('retry-after')) * 1000);
    return await ask(path, init);
  };
  for (const [index, path] of files.entries()) {
    const answer = await ask(path, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('content-encoding'), 'gzip');
    assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=/);
    const text = await answer.text();
    assert.doesNotMatch(text, /Platform-|PLATFORM/, path);
    const { servers } = JSON.parse(text) as { servers: { url: string }[] };
    assert.deepEqual(
      servers.map(({ url: server }) => server),
      [platform.baseUrl],
    );
    if (index > 0) continue;
    const known = { 'accept-encoding': 'gzip', 'if-none-match': answer.headers.get('etag') ?? '' };
    assert.equal((await ask(path, { headers: known })).status, 304, path);
    const head = await ask(path, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  }
  const stock = await (await ask('/openapi/stock.json')).json();
  const { components } = stock as { components: { parameters: { restaurant: { name: string } } } };
  assert.equal(components.parameters.restaurant.name, 'Acme-Restaurant-External-ID');
  for (const name of ['unknown.json', 'constructor', 'stock']) {
    assert.equal((await ask(`/openapi/${name}`)).status, 404, name);
  }
});

test('stock.list 400 B0: the header of the default brand is no header of this one', async () => {
  const headers = { 'Platform-Restaurant-External-ID': restaurant };
  const answer = await partner.call('stock.list', 400, { headers });
  assert.match(messageOf(answer), /Acme-Restaurant-External-ID/i);
});

test('auth.login 400 B0: the access type of the default brand is unknown here', async () => {
  assert.equal(demo.clients.partner.userAccessType, 'ACME_MACHINE_CLIENT');
  const { clientId, clientSecret } = demo.clients.partner;
  const json = { clientId, clientSecret, userAccessType: 'PLATFORM_MACHINE_CLIENT' };
  await anonymous.call('auth.login', 400, { json });
});

test('creditCards.authorize 200 PAY-6: wire.paymentAmountShape=object has a currency', async () => {
  const body = await paymentBody(demo, { amount: 10.5, tipAmount: 0 });
  const answer = await authorize(partner, 200, restaurant, body);
  const { amount, tipAmount } = answer.json as Record<string, unknown>;
  const { currencyCode } = demo.restaurants.find(({ guid }) => guid === restaurant) ?? {};
  assert.deepEqual(amount, { amount: 10.5, currencyCode });
  assert.deepEqual(tipAmount, { amount: 0, currencyCode });
});

test('creditCards.authorize 409 PAY-7: payments.repeat=conflict refuses every repeat', async () => {
  const body = await paymentBody(demo);
  const uuid = randomUUID();
  await authorize(partner, 200, restaurant, body, uuid);
  const repeated = await authorize(partner, 409, restaurant, body, uuid);
  assert.ok('description' in (repeated.json as object));
});

test('stock.update 200 STK-7: stock.zeroQuantity=outOfStock reads zero as sold out', async () => {
  const guid = nth(await itemGuids(partner, restaurant), 0, 'menu item');
  const json = [{ guid, status: 'QUANTITY', quantity: 0 }];
  const answer = await partner.call('stock.update', 200, { restaurant, json });
  const [element] = answer.json as { status: string; quantity: null }[];
  assert.deepEqual([element?.status, element?.quantity], ['OUT_OF_STOCK', null]);
  const below = [{ guid, status: 'QUANTITY', quantity: -1 }];
  await partner.call('stock.update', 400, { restaurant, json: below });
});

test('partners.connectedRestaurants.list 200 PTN-1: the switch to an array', async () => {
  const answer = await partner.call('partners.connectedRestaurants.list', 200);
  assert.ok(Array.isArray(answer.json));
  assert.equal(answer.json.length, 1);
});

test('restaurants.listGroup 200 RST-4: restaurants.groupList=reachable is shorter', async () => {
  const params = { managementGroupGUID: demo.managementGroupGuid };
  const answer = await partner.call('restaurants.listGroup', 200, { restaurant, params });
  const listed = (answer.json as { guid: string }[]).map(({ guid }) => guid).sort();
  const access = await partner.call('partners.restaurants.list', 200);
  const reached = (access.json as { restaurantGuid: string; deleted: boolean }[])
    .filter(({ deleted }) => !deleted)
    .map(({ restaurantGuid }) => restaurantGuid);
  assert.deepEqual(listed, reached.sort());
});

test('auth.login 200 AUTH-3: the lifetime of a token is a setting', async () => {
  // Nobody has logged in by it before.
  const { clientId, clientSecret, userAccessType } = demo.clients.readOnly;
  const json = { clientId, clientSecret, userAccessType };
  const answer = await anonymous.call('auth.login', 200, { json });
  const { token } = answer.json as { token: { accessToken: string; expiresIn: number } };
  const { exp, iat } = decodeJwt(token.accessToken);
  assert.equal(Number(exp) - Number(iat), 3600);
  assert.ok(token.expiresIn > 3540 && token.expiresIn <= 3600);
});

test('auth.revoke 200 AUTH-6 AUTH-9: a revoked token is dead, a new login alive', async () => {
  const { clientId, clientSecret } = demo.clients.readOnly;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const token = await logIn(platform, demo.clients.readOnly);
  await anonymous.call('partners.restaurants.list', 200, { token });
  await anonymous.call('auth.revoke', 200, { form: { token }, headers });
  await anonymous.call('partners.restaurants.list', 401, { token });
  const looked = await anonymous.call('auth.introspect', 200, { form: { token }, headers });
  assert.deepEqual(looked.json, { active: false });
  const fresh = await logIn(platform, demo.clients.readOnly);
  await anonymous.call('partners.restaurants.list', 200, { token: fresh });
});

const name = (suffix: string) => `X-${demo.brand}-RateLimit-${suffix}`;

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
