import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  backOfficeScopes,
  collections as declaredCollections,
  interfaces,
  type OperationId,
  operationById,
  operations,
  partnerScopes,
  schemas,
  scopes,
} from '@servery/contract';
import {
  collections,
  type ExpectedOperation,
  expectedOperations,
  isBackOffice,
} from './operations.ts';
import { requestResources } from './requests.ts';
import { alwaysNull, type Fields, resources } from './resources.ts';
import { webhookStatuses } from './webhook-resources.ts';

/** A JSON Schema as far as these tests read it. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

const schemaOf = (name: string) => {
  const schema = Reflect.get(schemas, name) as Schema | undefined;
  assert.ok(schema, `the contract has no resource ${name}`);
  return schema;
};

/** Fields whose written shape depends on a switch, which a schema may say in its own way. */
const switched = new Set(['PaymentStatus.amount', 'PaymentStatus.tipAmount']);

test('contract: the interfaces have the declared prefixes and versions', () => {
  const declared = Object.fromEntries(
    (
      ['creditCards', 'stock', 'configuration', 'partners', 'restaurants', 'backOffice'] as const
    ).map((id) => [id, [interfaces[id].prefix, interfaces[id].version]]),
  );
  assert.deepEqual(declared, {
    creditCards: ['/ccpartner/v1', '1.0.0'],
    stock: ['/stock', '1.0.0'],
    configuration: ['/config/v2', '2.5.0'],
    partners: ['/partners/v1', '1.0.1'],
    restaurants: ['/restaurants/v1', '1.0.0'],
    backOffice: ['/backoffice/v1', '1.0.0'],
  });
});

test('contract AUTH-8: the scopes of partners are exactly the five of the text', () => {
  assert.deepEqual([...partnerScopes].sort(), [
    'config:read',
    'credit_cards.authorization:write',
    'restaurants:read',
    'stock:read',
    'stock:write',
  ]);
});

test('contract PAY-12: the scopes of the back office are its own, and those of no partner', () => {
  assert.deepEqual([...backOfficeScopes].sort(), [
    'audit:read',
    'card_keys:read',
    'card_keys:write',
    'clients:read',
    'clients:write',
    'clock:read',
    'clock:write',
    'configuration:publish',
    'configuration:read',
    'configuration:write',
    'connections:read',
    'connections:write',
    'metrics:read',
    'payments.lifecycle:read',
    'payments.lifecycle:write',
    'people:read',
    'people:write',
    'requests:read',
    'restaurants.admin:read',
    'restaurants.admin:write',
    'stock.admin:read',
    'stock.admin:write',
    'webhooks:read',
    'webhooks:write',
  ]);
  assert.deepEqual([...scopes].sort(), [...partnerScopes, ...backOfficeScopes].sort());
});

test('contract CFG-1: the collections are exactly the 23 of the text', () => {
  const declared = declaredCollections.map(({ name, object }) => [name, object].join(' '));
  const expected = collections.map((pair) => pair.join(' '));
  assert.deepEqual([...declared].sort(), [...expected].sort());
  assert.equal(expected.length, 23);
});

test('contract: the operations are exactly those of the text', () => {
  const declared = operations.map(({ id }) => id);
  assert.deepEqual([...declared].sort(), expectedOperations.map(({ id }) => id).sort());
});

/** The statuses of the back office, beside those that every operation with a token has. */
const BODY = [400, 413, 415, 422];
const MOVE = [404, 409];
const backOfficeStatuses: Readonly<Record<string, readonly number[]>> = {
  'payments.list': [304, 400],
  'payments.get': [304, 404],
  'payments.events': [304, 404],
  'payments.apply': [...BODY, ...MOVE],
  'payments.fulfil': MOVE,
  'payments.void': [...BODY, ...MOVE],
  'payments.capture': MOVE,
  'clock.get': [],
  'clock.freeze': [409],
  'clock.run': [409],
  'clock.set': [...BODY, 409],
  'clock.advance': [...BODY, 409],
  'clock.next': [409],
  'cardKeys.list': [304, 404],
  'cardKeys.issue': [...BODY, 404],
  'cardKeys.activate': MOVE,
  'cardKeys.retire': MOVE,
  'cardKeys.destroy': [404],
  'alarms.list': [304, 400],
  'alarms.acknowledge': [...BODY, 404],
  metrics: [],
  'partners.list': [304, 400],
  'partners.create': BODY,
  'partners.get': [304, 404],
  'partners.update': [...BODY, 404],
  'partners.connections': [304, 400, 404],
  'partners.events': [304, 400, 404],
  'clients.list': [400],
  'clients.create': BODY,
  'clients.get': [404],
  'clients.update': [...BODY, ...MOVE],
  'clients.usage': [400, 404],
  'clients.addSecret': [...BODY, ...MOVE],
  'clients.revokeSecret': [404],
  'clients.revoke': MOVE,
  'connections.list': [304, 400, 404],
  'connections.partners': [304, 400, 404],
  'connections.connect': [...BODY, ...MOVE],
  'connections.get': [304, 404],
  'connections.update': [...BODY, ...MOVE],
  'connections.disconnect': [...BODY, 404],
  'connections.timeline': [304, 400, 404],
  'sessions.begin': [...BODY, 401],
  'session.get': [],
  'session.end': [],
  'invitations.page': [304],
  'invitations.inspect': [...BODY, 404],
  'invitations.accept': [...BODY, 404],
  'me.sessions.list': [304],
  'me.sessions.end': [404],
  'me.password.change': BODY,
  'me.totp.begin': [...BODY, 409],
  'me.totp.confirm': [...BODY, 409],
  'me.totp.remove': BODY,
  'people.list': [304, 400],
  'people.create': [...BODY, 409],
  'people.get': [304, 404],
  'people.update': [...BODY, ...MOVE],
  'people.deactivate': MOVE,
  'people.reactivate': [404],
  'people.invite': MOVE,
  'people.removeTotp': [404],
  'people.roles.give': [...BODY, 404],
  'people.roles.take': MOVE,
  'managementGroups.list': [304, 400],
  'managementGroups.create': [...BODY, 409],
  'managementGroups.get': [304, 404],
  'managementGroups.update': [...BODY, ...MOVE],
  'managementGroups.archive': MOVE,
  'managementGroups.unarchive': [404],
  'restaurants.list': [304, 400],
  'restaurants.create': [...BODY, 409],
  'restaurants.get': [304, 404],
  'restaurants.update': [...BODY, ...MOVE],
  'restaurants.archive': [404],
  'restaurants.unarchive': MOVE,
  'configuration.objects.list': [304, 400, 404],
  'configuration.objects.create': [...BODY, ...MOVE],
  'configuration.objects.get': [304, 404],
  'configuration.objects.update': [...BODY, 404],
  'configuration.objects.archive': MOVE,
  'configuration.objects.unarchive': [404],
  'configuration.objects.discard': MOVE,
  'configuration.tipWithholding.get': [304, 404],
  'configuration.tipWithholding.set': [...BODY, 404],
  'configuration.draft.get': [304, 404],
  'configuration.draft.discard': [...BODY, ...MOVE],
  'configuration.draft.preview': [304, 400, 404, 422],
  'configuration.publications.list': [304, 400, 404],
  'configuration.publications.publish': [...BODY, ...MOVE],
  'configuration.publications.get': [304, 404],
  'configuration.publications.rollBack': [...BODY, ...MOVE],
  'configuration.publishGroup': [...BODY, ...MOVE],
  'configuration.plan': [...BODY, 404],
  'configuration.apply': [...BODY, ...MOVE],
  'configuration.export': [304, 400, 404],
  'stock.list': [304, 400, 404],
  'stock.set': [...BODY, 404],
  'stock.history': [304, 400, 404],
  'stock.undo': MOVE,
  'stock.ranOut': [304, 400, 404],
  ...webhookStatuses,
  'requests.list': [400],
  'requests.get': [304, 404],
  'requests.stream': [400],
  'audit.list': [304, 400],
  'audit.export': [400],
  'audit.verify': [],
  whoami: [304, 400],
};

/** The statuses that follow from the text for an operation of the interfaces. */
function leastStatuses(operation: ExpectedOperation): number[] {
  const { id, method, restaurant, token, answer } = operation;
  if (isBackOffice(operation)) {
    const own = backOfficeStatuses[id.replace('backOffice.', '')];
    assert.ok(own, `the statuses of ${id} are not transcribed`);
    return [200, ...(token ? [401, 403] : []), 429, ...own];
  }
  const statuses = [200];
  if (token) statuses.push(401, 403, 429);
  if (method === 'GET' && answer !== null) statuses.push(304);
  if (restaurant === 'header') statuses.push(400);
  if (method !== 'GET' && token) statuses.push(413, 415);
  if (/\.get$|listGroup/.test(id) && id !== 'configuration.tipWithholding.get') statuses.push(404);
  if (/^configuration\.\w+\.list$/.test(id)) statuses.push(409);
  if (id === 'creditCards.authorize') statuses.push(404, 409, 422, 500);
  return statuses;
}

test('contract: each operation has the method, path, scope and statuses of the text', () => {
  for (const expected of expectedOperations) {
    const declared = operationById(expected.id as OperationId);
    const { id, method, path, scope, token, restaurant } = expected;
    assert.equal(`${declared.method} ${declared.path}`, `${method} ${path}`);
    assert.equal(declared.scope, scope, `scope of ${id}`);
    const security = expected.session ? 'session' : token ? 'bearer' : 'none';
    assert.equal(declared.security, security, `security of ${id}`);
    assert.equal(declared.restaurant === 'none', restaurant === 'none', `restaurant of ${id}`);
    for (const status of leastStatuses(expected)) {
      assert.ok(declared.statuses.includes(status), `${id} does not declare ${status}`);
    }
    if (!isBackOffice(expected)) continue;
    // A back office answers nothing else: 500 and 503 can come from everywhere.
    const more = declared.statuses.filter((status) => status < 500);
    assert.deepEqual(more, leastStatuses(expected).sort(), `statuses of ${id}`);
    const tag = declared.responseHeaders.includes('ETag');
    assert.equal(tag, method === 'GET' && expected.revalidated, `ETag of ${id}`);
  }
});

test('contract API-10: each resource of an answer has the fields of the text', () => {
  for (const [name, fields] of Object.entries(resources)) {
    if (name === 'PaymentStatusOfObjects') continue;
    const { properties = {}, required = [] } = schemaOf(name);
    const names = Object.keys(fields).map((field) => field.replace(/\?$/, ''));
    assert.deepEqual(Object.keys(properties).sort(), [...names].sort(), `fields of ${name}`);
    const always = Object.keys(fields).filter((field) => !field.endsWith('?'));
    assert.deepEqual([...required].sort(), always.sort(), `required fields of ${name}`);
  }
});

test('contract: each resource of a request has exactly the fields of the text', () => {
  for (const [name, fields] of Object.entries(requestResources)) {
    const { properties = {}, required = [] } = schemaOf(name);
    const names = Object.keys(fields).map((field) => field.replace(/\?+$/, ''));
    assert.deepEqual(Object.keys(properties).sort(), [...names].sort(), `fields of ${name}`);
    for (const field of Object.keys(fields)) {
      if (field.endsWith('??')) continue;
      const plain = field.replace(/\?$/, '');
      assert.equal(required.includes(plain), !field.endsWith('?'), `${name}.${plain} is required`);
    }
  }
});

/** The alternatives of a schema: itself, or those that `anyOf` lists. */
const alternatives = (schema: Schema): Schema[] => schema.anyOf?.flatMap(alternatives) ?? [schema];

function enumOf(schema: Schema): string[] {
  return alternatives(schema)
    .flatMap((each) => each.enum ?? [])
    .filter((value): value is string => typeof value === 'string');
}

const isEnum = (type: string) => /^[A-Za-z0-9_-]+(\|[A-Za-z0-9_-]+)+\??$/.test(type);

function compareEnums(name: string, fields: Fields): number {
  let compared = 0;
  for (const [field, type] of Object.entries(fields)) {
    const schema = schemaOf(name).properties?.[field.replace(/\?+$/, '')];
    if (!schema || switched.has(`${name}.${field}`)) continue;
    const expected = isEnum(type) ? type.replace('?', '').split('|') : [];
    if (expected.length === 0) continue;
    assert.deepEqual(enumOf(schema).sort(), expected.sort(), `values of ${name}.${field}`);
    compared += 1;
  }
  return compared;
}

test('contract: each enum has exactly the values of the text', () => {
  let compared = 0;
  for (const [name, fields] of Object.entries({ ...resources, ...requestResources })) {
    if (name !== 'PaymentStatusOfObjects') compared += compareEnums(name, fields);
  }
  assert.ok(compared > 15, `only ${compared} enums were compared`);
});

test('contract: the fields that are always null may be null', () => {
  for (const place of Object.keys(alwaysNull)) {
    const [name = '', field = ''] = place.split('.');
    const schema = schemaOf(name).properties?.[field];
    const types = alternatives(schema ?? {}).flatMap(({ type }) => type ?? []);
    assert.ok(types.includes('null'), place);
  }
});
