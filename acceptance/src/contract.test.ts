import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Body,
  backOfficeScopes,
  partnerCollections as declaredCollections,
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
import { requestBodies, requestResources } from './requests.ts';
import { alwaysNull, type Fields, resources } from './resources.ts';
import { sandboxStatuses } from './sandbox-operations.ts';
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
      [
        'creditCards',
        'stock',
        'menus',
        'configuration',
        'partners',
        'restaurants',
        'orders',
        'backOffice',
      ] as const
    ).map((id) => [id, [interfaces[id].prefix, interfaces[id].version]]),
  );
  assert.deepEqual(declared, {
    creditCards: ['/ccpartner/v1', '1.0.0'],
    stock: ['/stock', '1.0.0'],
    menus: ['/menus/v2', '2.4.1'],
    configuration: ['/config/v2', '2.5.0'],
    partners: ['/partners/v1', '1.0.1'],
    restaurants: ['/restaurants/v1', '1.0.0'],
    orders: ['/orders/v2', '2.9.0'],
    backOffice: ['/backoffice/v1', '1.0.0'],
  });
});

test('contract AUTH-8: partners have exactly these scopes', () => {
  assert.deepEqual([...partnerScopes].sort(), [
    'config:read',
    'credit_cards.authorization:write',
    'delivery_info.address:read',
    'guest.pi:read',
    'menus:read',
    'orders.channel:read',
    'orders.channel:void',
    'orders.delivery_info:write',
    'orders.discounts:write',
    'orders.items:write',
    'orders.orders:write',
    'orders.payments:write',
    'orders:read',
    'orders:void',
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
    'faults:read',
    'faults:write',
    'metrics:read',
    'orders.admin:read',
    'orders.admin:write',
    'payments.lifecycle:read',
    'payments.lifecycle:write',
    'people:read',
    'people:write',
    'requests:read',
    'requests:write',
    'restaurants.admin:read',
    'restaurants.admin:write',
    'sandboxes:read',
    'sandboxes:write',
    'stock.admin:read',
    'stock.admin:write',
    'webhooks:read',
    'webhooks:write',
  ]);
  assert.deepEqual([...scopes].sort(), [...partnerScopes, ...backOfficeScopes].sort());
});

test('contract CFG-1: the collections are exactly these 23', () => {
  const declared = declaredCollections.map(({ name, object }) => [name, object].join(' '));
  const expected = collections.map((pair) => pair.join(' '));
  assert.deepEqual([...declared].sort(), [...expected].sort());
  assert.equal(expected.length, 23);
});

const rowsFile = 'acceptance/src/operations.ts';

/** Fails with a sentence for each name that only one side has. */
function compareNames(
  declared: readonly string[],
  described: readonly string[],
  file: string,
): void {
  const faults = [
    ...declared
      .filter((name) => !described.includes(name))
      .map((name) => `${name} is not described in ${file}: add it`),
    ...described
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is described in ${file}, but the contract has none`),
  ];
  if (faults.length > 0) assert.fail(faults.join('\n'));
}

test('contract: every operation is described in this suite', () => {
  compareNames(
    operations.map(({ id }) => id),
    expectedOperations.map(({ id }) => id),
    rowsFile,
  );
});

/**
 * The statuses of the back office, beside those that every operation has that takes a token or a
 * body, or whose answer has a tag.
 */
const MOVE = [404, 409];
const backOfficeStatuses: Readonly<Record<string, readonly number[]>> = {
  'payments.list': [400],
  'payments.get': [404],
  'payments.events': [404],
  'payments.apply': MOVE,
  'payments.fulfil': MOVE,
  'payments.void': MOVE,
  'payments.capture': MOVE,
  'payments.tip': MOVE,
  'orders.list': [400, 404],
  'orders.get': [404],
  'orders.events': [404],
  'orders.approve': MOVE,
  'orders.reject': MOVE,
  'orders.fire': MOVE,
  'orders.hold': MOVE,
  'orders.ready': MOVE,
  'orders.fulfil': MOVE,
  'orders.payments.add': MOVE,
  'orders.payments.void': MOVE,
  'orders.selections.void': MOVE,
  'orders.void': MOVE,
  'clock.get': [],
  'clock.freeze': [409],
  'clock.run': [409],
  'clock.set': [409],
  'clock.advance': [409],
  'clock.next': [409],
  'faults.list': [],
  'faults.add': [],
  'faults.remove': [404],
  'faults.setProfile': [],
  'cardKeys.list': [404],
  'cardKeys.issue': [404],
  'cardKeys.activate': MOVE,
  'cardKeys.retire': MOVE,
  'cardKeys.destroy': [404],
  'alarms.list': [400],
  'alarms.acknowledge': [404],
  metrics: [],
  'health.get': [],
  'partners.list': [400],
  'partners.create': [],
  'partners.get': [404],
  'partners.update': [404],
  'partners.connections': [400, 404],
  'partners.events': [400, 404],
  'clients.list': [400],
  'clients.create': [],
  'clients.get': [404],
  'clients.update': MOVE,
  'clients.usage': [400, 404],
  'clients.addSecret': MOVE,
  'clients.revokeSecret': [404],
  'clients.revoke': MOVE,
  'connections.list': [400, 404],
  'connections.partners': [400, 404],
  'connections.connect': MOVE,
  'connections.get': [404],
  'connections.update': MOVE,
  'connections.disconnect': [404],
  'connections.timeline': [400, 404],
  'sessions.begin': [401],
  'sessions.demoPeople': [],
  'sessions.beginDemo': [404],
  'sessions.demoToken': [404],
  'session.get': [],
  'session.end': [],
  'invitations.inspect': [404],
  'invitations.accept': [404],
  'me.sessions.list': [],
  'me.sessions.end': [404],
  'me.password.change': [],
  'me.totp.begin': [409],
  'me.totp.confirm': [409],
  'me.totp.remove': [],
  'me.views.list': [],
  'me.views.save': [409],
  'me.views.delete': [404],
  'people.list': [400],
  'people.create': [409],
  'people.get': [404],
  'people.update': MOVE,
  'people.deactivate': MOVE,
  'people.reactivate': [404],
  'people.invite': MOVE,
  'people.removeTotp': [404],
  'people.sessions.list': [404],
  'people.sessions.end': [404],
  'people.roles.give': [404],
  'people.roles.take': MOVE,
  'managementGroups.list': [400],
  'managementGroups.create': [409],
  'managementGroups.get': [404],
  'managementGroups.update': MOVE,
  'managementGroups.archive': MOVE,
  'managementGroups.unarchive': [404],
  'restaurants.list': [400],
  'restaurants.create': [409],
  'restaurants.get': [404],
  'restaurants.update': MOVE,
  'restaurants.archive': [404],
  'restaurants.unarchive': MOVE,
  'configuration.objects.list': [400, 404],
  'configuration.objects.create': MOVE,
  'configuration.objects.get': [404],
  'configuration.objects.update': [404, 409],
  'configuration.objects.archive': MOVE,
  'configuration.objects.unarchive': [404],
  'configuration.objects.discard': MOVE,
  'configuration.tipWithholding.get': [404],
  'configuration.tipWithholding.set': [404],
  'configuration.draft.get': [404],
  'configuration.draft.apply': MOVE,
  'configuration.draft.discard': MOVE,
  'configuration.draft.preview': [400, 404, 422],
  'configuration.draft.menus': [404, 422],
  'configuration.publications.list': [400, 404],
  'configuration.publications.publish': MOVE,
  'configuration.publications.get': [404],
  'configuration.publications.rollBack': MOVE,
  'configuration.publishGroup': MOVE,
  'configuration.plan': [404],
  'configuration.apply': MOVE,
  'configuration.export': [400, 404],
  'stock.list': [400, 404],
  'stock.set': [404],
  'stock.history': [400, 404],
  'stock.undo': MOVE,
  'stock.ranOut': [400, 404],
  ...webhookStatuses,
  ...sandboxStatuses,
  'requests.list': [400],
  'requests.get': [404],
  'requests.replay': MOVE,
  'requests.stream': [400],
  'audit.list': [400],
  'audit.export': [400],
  'audit.verify': [],
  whoami: [400],
};

/** The statuses that follow from the text for an operation of the back office, and no others. */
function backOfficeStatusesOf(operation: ExpectedOperation): number[] {
  const { id, method, token, revalidated, success } = operation;
  const own = backOfficeStatuses[id.replace('backOffice.', '')] ?? [];
  const statuses = [success, 429, 500, 503, ...own];
  if (token) statuses.push(401, 403);
  if (method === 'GET' && revalidated) statuses.push(304);
  if (requestBodies[id]) statuses.push(400, 413, 415, 422);
  return statuses;
}

/** The least statuses that follow from the text for an operation of the interfaces. */
function leastStatusesOf(operation: ExpectedOperation): number[] {
  const { id, method, restaurant, token, revalidated } = operation;
  const statuses = [200];
  if (token) statuses.push(401, 403, 429);
  if (method === 'GET' && revalidated) statuses.push(304);
  if (restaurant === 'header') statuses.push(400);
  if (requestBodies[id] && token) statuses.push(413, 415);
  if (/\.get$|listGroup/.test(id) && id !== 'configuration.tipWithholding.get') statuses.push(404);
  if (id.startsWith('menus.')) statuses.push(404, 503);
  if (/^configuration\.\w+\.list$/.test(id)) statuses.push(409);
  if (id === 'creditCards.authorize') statuses.push(404, 409, 422, 500);
  if (id === 'platform.payments.void') statuses.push(404, 409);
  if (/^orders\.(?!price|list|payments\.list)/.test(id)) statuses.push(404);
  if (/^orders\..*(place|add|update|void)$/.test(id)) statuses.push(409);
  return statuses;
}

/** A resource in the notation of resources.ts. */
const notationOf = (body: Body | null) => (body ? `${body.schema}${body.array ? '[]' : ''}` : null);

/** Lists of texts, not of resources. */
const plainAnswers: Readonly<Record<string, string>> = { 'OrderGuid[]': 'uuid[]' };

/** One of several resources: it has no fields of its own. */
const eitherShape: Readonly<Record<string, string>> = {
  ConnectedRestaurants: 'PaginatedResponse',
  WebhookEvent: 'PartnerEvent',
};

test('contract: each operation has the described method, path, scope and resources', () => {
  for (const expected of expectedOperations) {
    const { id, method, path, scope, orScope, token, session, restaurant } = expected;
    const { answer, revalidated } = expected;
    const declared = operationById(id as OperationId);
    const response = notationOf(declared.response) ?? '';
    const facts = {
      place: `${declared.method} ${declared.path}`,
      scope: declared.scope,
      orScope: declared.orScope,
      security: declared.security,
      namesRestaurant: declared.restaurant !== 'none',
      answer: (eitherShape[response] ?? plainAnswers[response] ?? response) || null,
      hasTag: declared.responseHeaders.includes('ETag'),
    };
    const described = {
      place: `${method} ${path}`,
      scope,
      orScope,
      security: session ? 'session' : token ? 'bearer' : 'none',
      namesRestaurant: restaurant !== 'none',
      answer,
      hasTag: method === 'GET' && revalidated,
    };
    assert.deepEqual(facts, described, `${id} is described otherwise in ${rowsFile}`);
    const body = notationOf(declared.requestBody);
    const file = 'acceptance/src/requests.ts';
    assert.equal(
      body,
      requestBodies[id] ?? null,
      `the body of ${id} is described otherwise in ${file}`,
    );
  }
});

test('contract: each operation has the described statuses, in the back office no others', () => {
  compareNames(
    operations.map(({ id }) => id).filter((id) => isBackOffice({ id })),
    Object.keys(backOfficeStatuses).map((name) => `backOffice.${name}`),
    'backOfficeStatuses in acceptance/src/contract.test.ts',
  );
  for (const expected of expectedOperations) {
    const { id } = expected;
    const { statuses } = operationById(id as OperationId);
    if (isBackOffice(expected)) {
      const described = backOfficeStatusesOf(expected).sort();
      const file = 'acceptance/src/contract.test.ts';
      assert.deepEqual(statuses, described, `statuses of ${id}, described otherwise in ${file}`);
    } else {
      const missing = leastStatusesOf(expected).filter((status) => !statuses.includes(status));
      assert.deepEqual(missing, [], `${id} lacks statuses of the text`);
    }
  }
});

test('contract: every resource is described in this suite', () => {
  const described = { ...resources, ...requestResources, ...eitherShape };
  compareNames(
    Object.keys(schemas),
    Object.keys(described).filter((name) => name !== 'PaymentStatusOfObjects'),
    'acceptance/src/*resources.ts or *requests.ts',
  );
});

const otherFields = (name: string) =>
  `the fields of ${name} are others, or in another order, in acceptance/src/*resources.ts or *requests.ts`;

test('contract API-10: each resource of an answer has the described fields, in order', () => {
  for (const [name, fields] of Object.entries(resources)) {
    if (name === 'PaymentStatusOfObjects') continue;
    const { properties = {}, required = [] } = schemaOf(name);
    const names = Object.keys(fields).map((field) => field.replace(/\?$/, ''));
    assert.deepEqual(Object.keys(properties), names, otherFields(name));
    const always = Object.keys(fields).filter((field) => !field.endsWith('?'));
    assert.deepEqual([...required].sort(), always.sort(), `required fields of ${name}`);
  }
});

test('contract: each resource of a request has the described fields, in order', () => {
  for (const [name, fields] of Object.entries(requestResources)) {
    const { properties = {}, required = [] } = schemaOf(name);
    const names = Object.keys(fields).map((field) => field.replace(/\?+$/, ''));
    assert.deepEqual(Object.keys(properties), names, otherFields(name));
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

test('contract: each enum has exactly the described values', () => {
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
