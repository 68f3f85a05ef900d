import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfaces } from './interfaces.ts';
import { operationById, operations } from './operations.ts';
import { eventKinds } from './schemas/event-types.ts';
import { schemas } from './schemas.ts';
import { backOfficeScopes, partnerScopes, scopeGrants, scopes, scopesFor } from './scopes.ts';

const secured = operations.filter(({ security }) => security !== 'none');

/** They say what an operation shows, not whether it may be called (ORD-8, ORD-9). */
const narrowing = ['orders.channel:read', 'guest.pi:read', 'delivery_info.address:read'];

test('contract: no scope opens both a partner interface and the back office', () => {
  for (const { id, interface: owner, scope } of secured) {
    if (scope === null) continue;
    const isBackOffice = owner === 'backOffice';
    assert.equal(scopesFor('BACK_OFFICE').includes(scope), isBackOffice, id);
    assert.equal(scopesFor('PARTNER').includes(scope), !isBackOffice, id);
  }
  const used = new Set<string | null>([
    ...secured.flatMap(({ scope, orScope }) => [scope, orScope]),
    ...Object.values(eventKinds).map(({ scope }) => scope),
  ]);
  for (const scope of [...partnerScopes, ...backOfficeScopes]) {
    assert.ok(used.has(scope) || narrowing.includes(scope), scope);
  }
  assert.equal(scopesFor('CUSTOMER'), scopesFor('PARTNER'));
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
  for (const { id, path, params, scope } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(params), named, id);
    assert.ok(scope === null || scopes.includes(scope), id);
  }
  assert.deepEqual(Object.keys(scopeGrants), [...scopes]);
});

test('contract: every body is a known resource', () => {
  const texts: Record<string, string> = {
    'docs.error': 'text/html',
    'docs.index': 'text/html',
    'docs.reference': 'text/html',
    'docs.referencePage': 'text/html',
    'docs.llms': 'text/plain',
    'docs.openapi': 'application/json',
    'backOffice.metrics': 'text/plain',
    'backOffice.audit.export': 'application/x-ndjson',
    'backOffice.requests.stream': 'text/event-stream',
    'platform.events.stream': 'text/event-stream',
  };
  for (const { id, requestBody, response, mediaType } of operations) {
    if (requestBody) assert.ok(requestBody.schema in schemas, id);
    if (response) assert.ok(response.schema in schemas, id);
    assert.equal(mediaType, response ? 'application/json' : texts[id], id);
  }
});

test('contract API-5: an operation can answer every refusal that its kind brings', () => {
  for (const { id, statuses, security, restaurant, requestBody, query } of operations) {
    const refusals = [
      ...(security === 'none' ? [] : [401, 403]),
      ...(Object.keys(query).length > 0 ? [400] : []),
      // In the header a restaurant can be missing or no GUID; in the path it is only not there.
      ...(restaurant === 'none' ? [] : [/InPath$/.test(restaurant) ? 404 : 400]),
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

const linked = ['partners.connectedRestaurants.list', 'orders.listBulk'];

test('contract API-3 API-7 API-11: an operation promises the headers of its kind', () => {
  for (const { id, method, statuses, responseHeaders } of operations) {
    assert.ok(responseHeaders.includes('requestId'), id);
    assert.equal(responseHeaders.includes('ETag'), statuses.includes(304), id);
    assert.ok(method === 'GET' || !statuses.includes(304), id);
    const isCounted = statuses.includes(429) && id !== 'auth.login';
    assert.equal(responseHeaders.includes('rateLimitRemaining'), isCounted, id);
    const isPaged = /^configuration\..*\.list$/.test(id);
    assert.equal(responseHeaders.includes('nextPageToken'), isPaged, id);
    assert.equal(responseHeaders.includes('Link'), linked.includes(id), id);
  }
});

test('contract API-6 RST-2: operations find their restaurant as the spec says', () => {
  const rules = new Map(operations.map(({ id, restaurant }) => [id, restaurant]));
  assert.equal(rules.get('creditCards.authorize'), 'merchant');
  assert.equal(rules.get('restaurants.get'), 'headerArchivedAllowed');
  assert.equal(rules.get('restaurants.listGroup'), 'header');
  assert.equal(rules.get('partners.restaurants.list'), 'none');
  assert.equal(rules.get('stock.update'), 'header');
  for (const { id, path, restaurant } of operations.filter((each) => /^backOffice/.test(each.id))) {
    const [, named] = /\{(merchantUuid|restaurantGuid)\}/.exec(path) ?? [];
    const rule = named === 'merchantUuid' ? 'merchantInPath' : 'restaurantInPath';
    assert.equal(restaurant, named ? rule : 'none', id);
  }
});
