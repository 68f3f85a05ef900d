import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collections } from './collections.ts';
import { interfaces } from './interfaces.ts';
import { operationById, operations } from './operations.ts';
import { schemas } from './schemas.ts';
import { scopeGrants, scopes } from './scopes.ts';

const secured = operations.filter(({ security }) => security === 'bearer');

/** The operations of the five interfaces, copied by hand from the spec. */
const expected = [
  'creditCards.authorize PUT /ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid} ' +
    'credit_cards.authorization:write',
  'stock.list GET /stock/v1/inventory stock:read',
  'stock.search POST /stock/v1/inventory/search stock:read',
  'stock.update PUT /stock/v1/inventory/update stock:write',
  ...collections.flatMap(({ name }) => [
    `configuration.${name}.list GET /config/v2/${name} config:read`,
    `configuration.${name}.get GET /config/v2/${name}/{guid} config:read`,
  ]),
  'configuration.tipWithholding.get GET /config/v2/tipWithholding config:read',
  'partners.restaurants.list GET /partners/v1/restaurants -',
  'partners.connectedRestaurants.list GET /partners/v1/connectedRestaurants -',
  'restaurants.get GET /restaurants/v1/restaurants/{restaurantGUID} restaurants:read',
  'restaurants.listGroup GET /restaurants/v1/groups/{managementGroupGUID}/restaurants ' +
    'restaurants:read',
];

test('contract T8: the five interfaces have the operations of the spec, with their scopes', () => {
  const own = ['platform', 'authentication'];
  const declared = operations
    .filter((each) => !own.includes(each.interface))
    .map(({ id, method, path, scope }) => `${id} ${method} ${path} ${scope ?? '-'}`);
  assert.deepEqual(declared, expected);
});

test('contract: every operation has an id, and a method and path, of its own', () => {
  const places = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '*')}`);
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length);
  assert.equal(new Set(places).size, operations.length);
  for (const each of operations) assert.equal(operationById(each.id), each);
  assert.throws(() => operationById('stock.guess' as never), /no operation/);
});

test('contract: every path of the five interfaces starts with their prefix', () => {
  for (const { id, path, interface: owner } of secured) {
    assert.ok(path.startsWith(`${interfaces[owner].prefix}/`), id);
  }
});

test('contract: every path parameter is described, and every scope known', () => {
  for (const { id, path, pathParameters, scope } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(
      pathParameters.map(({ name }) => name),
      named,
      id,
    );
    assert.ok(scope === null || scopes.includes(scope), id);
  }
  assert.deepEqual(Object.keys(scopeGrants), [...scopes]);
});

test('contract: every body is a known resource', () => {
  for (const { id, requestBody, response } of operations) {
    if (requestBody) assert.ok(requestBody.schema in schemas, id);
    if (response) assert.ok(response.schema in schemas, id);
    else assert.equal(id, 'docs.error');
  }
});

test('contract C5: an operation can answer every refusal that its kind brings', () => {
  for (const { id, statuses, security, restaurant, requestBody, queryParameters } of operations) {
    const refusals = [
      ...(security === 'bearer' ? [401, 403] : []),
      ...(restaurant !== 'none' || queryParameters.length > 0 ? [400] : []),
      ...(requestBody ? [400, 413] : []),
      ...(requestBody && id !== 'auth.login' ? [415] : []),
      ...(id.startsWith('health.') ? [] : [429, 500, 503]),
    ];
    for (const status of refusals) assert.ok(statuses.includes(status), `${id} ${status}`);
    assert.deepEqual(statuses, [...new Set(statuses)].sort(), id);
  }
});

test('contract: the statuses of each interface are those that its rules give', () => {
  const statusesOf = (id: Parameters<typeof operationById>[0]) => operationById(id).statuses;
  const common = [500, 503];
  assert.deepEqual(statusesOf('creditCards.authorize'), [
    ...[200, 400, 401, 403, 404, 409, 413, 415, 422, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('configuration.menus.list'), [
    ...[200, 304, 400, 401, 403, 409, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('configuration.menus.get'), [
    ...[200, 304, 400, 401, 403, 404, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('configuration.tipWithholding.get'), [
    ...[200, 304, 400, 401, 403, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('auth.login'), [200, 400, 401, 413, 429, ...common]);
  assert.deepEqual(statusesOf('health.ready'), [200, 304, 503]);
});

test('contract C3 C7 C11: an operation promises the headers of its kind', () => {
  for (const { id, method, statuses, responseHeaders } of operations) {
    assert.ok(responseHeaders.includes('requestId'), id);
    assert.equal(responseHeaders.includes('ETag'), method === 'GET', id);
    assert.equal(statuses.includes(304), method === 'GET', id);
    const isCounted = statuses.includes(429) && id !== 'auth.login';
    assert.equal(responseHeaders.includes('rateLimitRemaining'), isCounted, id);
    const isPaged = /^configuration\..*\.list$/.test(id);
    assert.equal(responseHeaders.includes('nextPageToken'), isPaged, id);
    assert.equal(responseHeaders.includes('Link'), id === 'partners.connectedRestaurants.list', id);
  }
});

test('contract C6 I2: operations find their restaurant as the spec says', () => {
  const rules = new Map(operations.map(({ id, restaurant }) => [id, restaurant]));
  assert.equal(rules.get('creditCards.authorize'), 'merchant');
  assert.equal(rules.get('restaurants.get'), 'headerArchivedAllowed');
  assert.equal(rules.get('restaurants.listGroup'), 'header');
  assert.equal(rules.get('partners.restaurants.list'), 'none');
  assert.equal(rules.get('stock.update'), 'header');
});
