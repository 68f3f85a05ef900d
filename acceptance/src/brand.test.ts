import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { decodeJwt } from 'jose';
import { header } from './answer.ts';
import { DemoCallers, logIn } from './client.ts';
import { itemGuids, openRestaurants } from './fixtures.ts';
import { authorize, paymentBody } from './payment.ts';
import { OWN_SETTINGS, startPlatform } from './platform.ts';
import { messageOf, nth } from './values.ts';

// A platform of another brand, with every switch of the decisions thrown the other way. It has data
// of its own: beside the shared one it would replace tokens there, which name another issuer, and
// send webhooks of another brand.
const started = await startPlatform({
  settings: {
    ...OWN_SETTINGS,
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
  },
};
const { demo } = platform;
const anonymous = new DemoCallers(platform).anonymous();
const partner = await new DemoCallers(platform).as('partner');
const [restaurant] = openRestaurants(demo);

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
  for (const path of files) {
    const url = `${platform.baseUrl}${path}`;
    const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
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
    const known = { 'accept-encoding': 'gzip', 'if-none-match': answer.headers.get('etag') ?? '' };
    assert.equal((await fetch(url, { headers: known })).status, 304, path);
    const head = await fetch(url, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  }
  const stock = await (await fetch(`${platform.baseUrl}/openapi/stock.json`)).json();
  const { components } = stock as { components: { parameters: { restaurant: { name: string } } } };
  assert.equal(components.parameters.restaurant.name, 'Acme-Restaurant-External-ID');
  for (const name of ['unknown.json', 'constructor', 'stock']) {
    assert.equal((await fetch(`${platform.baseUrl}/openapi/${name}`)).status, 404, name);
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
  const { clientId, clientSecret, userAccessType } = demo.clients.other;
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
