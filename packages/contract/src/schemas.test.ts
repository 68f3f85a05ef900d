import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from './examples.ts';
import type { Body } from './operations/operation.ts';
import { operations } from './operations.ts';
import { type SchemaName, schemas } from './schemas.ts';
import { compileValidators, validatorFor } from './validators.ts';

/** A JSON Schema as far as these tests read it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

const schemaOf = (name: string) => schemas[name as SchemaName] as unknown as Schema;
const fieldsOf = (name: string): string[] => Object.keys(schemaOf(name).properties ?? {});

/** Documents that clients send: an unknown name is refused, for it would change nothing. */
const documents = [
  'CreateManagementGroup',
  'CreateRestaurant',
  'EditManagementGroup',
  'EditRestaurant',
];

const schemaNames = new Map<unknown, string>(
  Object.entries(schemas).map(([name, schema]) => [schema, name]),
);

/** Adds the resources that a schema is made of to `into`. */
function addResources(schema: unknown, into: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const name = schemaNames.get(schema);
  if (name !== undefined) into.add(name);
  for (const part of Object.values(schema)) addResources(part, into);
}

function resourcesOf(bodies: readonly (Body | null)[]): Set<string> {
  const found = new Set<string>();
  for (const body of bodies) if (body) addResources(schemas[body.schema], found);
  return found;
}

const sent = resourcesOf(operations.map(({ requestBody }) => requestBody));
const answered = resourcesOf(operations.map(({ response }) => response));

/** Resources that only clients send, and what is sent and answered with the same fields. */
const requests = [
  ...[...sent].filter((name) => !answered.has(name) && !documents.includes(name)),
  'ConfigurationPlace',
  'DeliveryAddress',
  'FaultMatch',
];

/** Answers with fields that are absent without a value: RFC 6749, 7517, 7662, 8414, PAY-11, MENU-19. */
const sparse = [
  'AuthorizationServerMetadata',
  'IntrospectionResponse',
  'JsonWebKey',
  'MenuAvailability',
  'OAuthError',
  'ServiceError',
];

test('contract: every schema is sound in the strict mode of JSON Schema 2020-12', () => {
  assert.doesNotThrow(compileValidators);
});

test('contract API-10: every field of an answer is always written, and there is no other', () => {
  const others = [...requests, ...documents];
  for (const name of Object.keys(schemas).filter((each) => !others.includes(each))) {
    const schema = schemaOf(name);
    if (schema.anyOf || schema.type === 'string') continue;
    assert.equal(schema.additionalProperties, false, name);
    const isWhole = (schema.required ?? []).length === fieldsOf(name).length;
    assert.equal(isWhole, !sparse.includes(name), name);
  }
});

test('contract API-9: resources of a request ignore properties that are not known', () => {
  for (const name of requests) assert.equal(schemaOf(name).additionalProperties, undefined, name);
  for (const name of documents) assert.equal(schemaOf(name).additionalProperties, false, name);
});

test('contract: a patch may leave out or clear every field, at every depth', () => {
  const validate = validatorFor('EditRestaurant');
  const leaves = leavesOf(exampleOf({ schema: 'BackOfficeRestaurant', array: false }, 'Platform'));
  const patches = leaves.filter(([path]) => path.length > 1);
  assert.ok(patches.length > 50);
  for (const [path, value] of patches) {
    for (const sent of path.includes('services') ? [value] : [value, null]) {
      const patch = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), sent);
      assert.deepEqual(validate(patch), [], path.join('.'));
    }
    const mistyped = [...path.slice(0, -1), `${path.at(-1)}s`];
    if (path.includes('daySchedules')) continue;
    const wrong = mistyped.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    assert.notDeepEqual(validate(wrong), [], mistyped.join('.'));
  }
  assert.deepEqual(validate({}), []);
  const general = ['name', 'timeZone', 'currencyCode', 'managementGroupGuid'];
  const missing = validatorFor('CreateRestaurant')({ general: {} });
  for (const name of general)
    assert.ok(
      missing.some((fault) => fault.includes(name)),
      name,
    );
});

type Leaf = readonly [path: readonly string[], value: unknown];

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

test('contract: every resource and every field says what it is', () => {
  for (const name of Object.keys(schemas)) {
    assert.ok(schemaOf(name).description, name);
    for (const [field, schema] of Object.entries(schemaOf(name).properties ?? {})) {
      assert.ok(schema.description, `${name}.${field}`);
    }
  }
});

test('contract: the deprecated fields of the spec are marked, and no others', () => {
  const marked = Object.keys(schemas).flatMap((name) =>
    Object.entries(schemaOf(name).properties ?? {})
      .filter(([, schema]) => Reflect.get(schema, 'deprecated'))
      .map(([field]) => `${name}.${field}`),
  );
  assert.deepEqual(marked.sort(), [
    'Location.stateCode',
    'Menu.orderableOnline',
    'Menu.visibility',
    'MenuGroup.orderableOnline',
    'MenuGroup.visibility',
    'MenuItem.orderableOnline',
    'MenuItem.visibility',
    'ModifierGroup.masterId',
    'ModifierOption.masterId',
    'ModifierOption.taxInfo',
    'ResolvedMenu.masterId',
    'ResolvedMenuGroup.masterId',
    'ResolvedMenuItem.masterId',
  ]);
});

test('contract CFG-4 CFG-5 API-10: a field that can lack a value takes null, even an enum', () => {
  const { serviceChargeCalculation, amount } = schemaOf('ServiceCharge').properties ?? {};
  assert.deepEqual(serviceChargeCalculation?.type, ['string', 'null']);
  assert.deepEqual(serviceChargeCalculation?.enum, ['PRE_DISCOUNT', 'POST_DISCOUNT', null]);
  assert.deepEqual(amount?.type, ['number', 'null']);
  const parent = schemaOf('MenuGroup').properties?.parent;
  assert.equal(parent?.anyOf?.[0], schemas.ExternalReference);
  assert.deepEqual(parent?.anyOf?.[1], { type: 'null' });
});
