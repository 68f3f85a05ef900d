import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { collections } from '@servery/contract';
import type { ObjectContents, ObjectKind } from '../../src/configuration/document/contents.ts';
import { referencesOf, storedFields } from '../../src/configuration/document/schema.ts';
import { withAllFields } from '../../src/configuration/document/stored-object.ts';
import { baseDigestOf } from '../../src/configuration/effective.ts';
import { digestOf, stateText } from '../../src/configuration/object-state.ts';
import type { JsonSchema } from '../../src/document/field-schema.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { type GroupDocumentFixture, openGroupDocumentFixture } from '../group-document/fixture.ts';
import { type Configuration, type DraftFixture, openDraftFixture } from './fixture.ts';

// A row that was written before the contract had a field lacks it: each field that is optional now
// is taken out of stored rows here.

let fixture: DraftFixture;
let groups: GroupDocumentFixture;
/** Its rows are as they were after each test. */
let plain: RestaurantContext;
before(async () => {
  fixture = await openDraftFixture();
  plain = await openPlain();
  groups = await openGroupDocumentFixture();
});
after(async () => {
  await fixture.drop();
  await groups.drop();
});

/** Each optional field has its default in an object of its collection. */
const PLAIN: Configuration = {
  ...Object.fromEntries(collections.map(({ name }) => [name, [{ name: 'Plain' }]])),
  breakTypes: [{ name: 'Plain', duration: 15 }],
  cashDrawers: [{ key: 'plain' }],
  diningOptions: [{ name: 'Plain', behavior: 'DINE_IN' }],
  discounts: [
    {
      name: 'Plain',
      type: 'OPEN_FIXED',
      selectionType: 'CHECK',
      promoCodes: [{ code: 'A', name: 'A' }],
    },
    { name: 'Codeless', type: 'OPEN_FIXED', selectionType: 'CHECK' },
    {
      name: 'Second one',
      type: 'BOGO',
      selectionType: 'BOGO',
      rule: { buy: {}, get: { amountType: 'PERCENT', value: 100 } },
    },
    { name: 'Limited', type: 'OPEN_FIXED', selectionType: 'CHECK', rule: {} },
  ],
  menuGroups: [{ name: 'Plain' }, { name: 'Open', pricing: { strategy: 'OPEN_PRICE' } }],
  menuItems: [{ name: 'Plain' }, { name: 'Open', pricing: { strategy: 'OPEN_PRICE' } }],
  menuOptionGroups: [
    { name: 'Plain', options: ['Plain'], optionSettings: [{ item: 'Plain' }] },
    { name: 'Bare', pricingMode: 'GROUP', groupPricing: { strategy: 'FIXED_PRICE', price: 1 } },
    {
      name: 'Sequence',
      pricingMode: 'GROUP',
      groupPricing: { strategy: 'SEQUENCE_PRICE', sequencePrices: [1] },
    },
  ],
  preModifiers: [
    { name: 'Plain', basePrice: 0.5 },
    { name: 'Scaled', scalePrice: true, scaleFactor: 2 },
  ],
  priceGroups: [{ name: 'Plain' }, { name: 'Open', pricing: { strategy: 'OPEN_PRICE' } }],
  serviceCharges: [{ name: 'Plain', amountType: 'OPEN' }],
  taxRates: [
    { name: 'Plain', rate: 0.1, roundingType: 'HALF_UP' },
    { name: 'None', type: 'NONE' },
  ],
  tipWithholding: {},
};

const kinds: readonly ObjectKind[] = [...collections.map(({ name }) => name), 'tipWithholding'];

type Fields = Record<string, unknown>;
type Path = readonly string[];

const EACH = '*';

/** The optional fields, also of what is inside fields, with their defaults. */
function optionalFields(kind: ObjectKind): readonly (readonly [Path, unknown])[] {
  const shown = referencesOf(kind).filter((each) => each.kind !== null);
  const references = new Map(shown.map((each) => [each.field, each.many ? [] : null]));
  return Object.entries(storedFields(kind)).flatMap(([name, schema]) =>
    references.has(name) ? [[[name], references.get(name)]] : optionalWithin([name], schema),
  );
}

function optionalWithin(path: Path, schema: JsonSchema): (readonly [Path, unknown])[] {
  if (schema.const !== undefined || path.at(-1) === 'guid') return [];
  const [value] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (value) {
    return [[path, null], ...optionalWithin(path, value).filter((each) => each[0] !== path)];
  }
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    optionalWithin([...path, name], each),
  );
  if (schema.items) {
    const items = Object.entries(schema.items.properties ?? {});
    const within = items.flatMap(([name, each]) => optionalWithin([...path, EACH, name], each));
    const isNullable = [schema.type].flat().includes('null');
    const isNeeded = (schema.minItems ?? 0) > 0;
    return isNeeded ? within : [[path, isNullable ? null : []], ...within];
  }
  if (schema.properties) {
    const defaults = inner.map(([steps, value]) => [steps[path.length], value]);
    return [[path, Object.fromEntries(defaults)], ...inner];
  }
  const isNullable = [schema.type].flat().includes('null');
  return 'default' in schema || isNullable ? [[path, schema.default ?? null]] : [];
}

/** The fields without the one at the path where that has its default; the same if it has not. */
function without(value: unknown, [step = '', ...rest]: Path, fallback: unknown): unknown {
  if (value === null) return null;
  if (step === EACH) return (value as unknown[]).map((each) => without(each, rest, fallback));
  const { [step]: inner, ...others } = value as Fields;
  if (rest.length === 0) return isDeepStrictEqual(inner, fallback) ? others : value;
  // In its place: rows keep the order of fields.
  return inner === undefined
    ? value
    : { ...(value as Fields), [step]: without(inner, rest, fallback) };
}

type OptionalField = ReturnType<typeof optionalFields>[number];

function withoutFields(missing: readonly OptionalField[], fields: unknown): unknown {
  return missing.reduce((left, [path, value]) => without(left, path, value), fields);
}

const withoutOptional = (kind: ObjectKind, fields: unknown) =>
  withoutFields(optionalFields(kind), fields);

type Row = Pick<ObjectContents, 'collection' | 'guid' | 'fields'>;

/** The plain one first. */
async function listRows(restaurantGuid: string, kind: ObjectKind): Promise<Row[]> {
  return await fixture.database.sql<Row[]>`
    select collection, guid, fields from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = ${kind}
    order by fields ->> 'name' = 'Plain' desc`;
}

async function writeRow(restaurantGuid: string, guid: string, fields: unknown): Promise<void> {
  await fixture.database.sql`
    update configuration_object set fields = ${JSON.stringify(fields)}::text::json
    where restaurant_guid = ${restaurantGuid} and guid = ${guid}`;
}

async function openPlain(): Promise<RestaurantContext> {
  const [restaurant] = await fixture.open(PLAIN);
  assert.ok(restaurant);
  return restaurant;
}

/** Takes every optional field out of all that is stored of the restaurant. */
async function ageRows({ guid }: RestaurantContext, { database: { sql } } = fixture) {
  for (const table of ['configuration_object', 'configuration_draft']) {
    const rows = await sql.unsafe(`select collection, guid, fields from ${table}
      where restaurant_guid = '${guid}'`);
    for (const row of rows as unknown as Row[]) {
      const fields = JSON.stringify(withoutOptional(row.collection, row.fields));
      await sql.unsafe(`update ${table} set fields = '${fields}'
        where restaurant_guid = '${guid}' and guid = '${row.guid}'`);
    }
  }
  const changes = await sql<
    { collection: ObjectKind; guid: string; number: number; before: Row }[]
  >`
    select collection, guid, number, before from publication_change
    where restaurant_guid = ${guid} and before is not null`;
  for (const { collection, guid: object, number, before: state } of changes) {
    const aged = { ...state, fields: withoutOptional(collection, state.fields) };
    await sql`
      update publication_change set before = ${JSON.stringify(aged)}::text::json
      where restaurant_guid = ${guid} and guid = ${object} and number = ${number}`;
  }
}

test('backOffice.configuration 200: a new field changes no stored object', async () => {
  const document = await fixture.done(plain, 'export');
  const served = await fixture.served(plain);
  const stored: Row[] = [];
  for (const kind of kinds) {
    const rows = await listRows(plain.guid, kind);
    for (const [path, fallback] of optionalFields(kind)) {
      assert.ok(
        rows.some(({ fields }) => !isDeepStrictEqual(without(fields, path, fallback), fields)),
        `no object of ${kind} has the default of ${path.join('.')}`,
      );
    }
    stored.push(...rows);
  }
  // Every other field is missing, so that a row also has fields before and after each.
  for (const first of [0, 1]) {
    for (const { collection, guid, fields } of stored) {
      const missing = optionalFields(collection).filter((_, index) => index % 2 === first);
      await writeRow(plain.guid, guid, withoutFields(missing, fields));
    }
    const { actions } = await fixture.done(plain, 'plan', { body: { document } });
    assert.deepEqual(actions, []);
    assert.deepEqual(await fixture.done(plain, 'export'), document);
    assert.deepEqual(await fixture.served(plain), served);
    for (const { collection, guid } of stored) await editNothing(plain, collection, guid);
    const { results } = await fixture.done(plain, 'draft.get');
    assert.deepEqual(results, []);
    for (const { guid, fields } of stored) await writeRow(plain.guid, guid, fields);
  }
});

async function editNothing(restaurant: RestaurantContext, kind: ObjectKind, guid: string) {
  if (kind === 'tipWithholding') {
    const { object } = await fixture.done(restaurant, 'tipWithholding.get');
    const { enabled, percentage } = object;
    await fixture.done(restaurant, 'tipWithholding.set', { body: { enabled, percentage } });
    return;
  }
  const place = { collection: kind, guid };
  const { object } = await fixture.done(restaurant, 'objects.get', place);
  const { archived: _archived, modifiedDate: _modifiedDate, ...body } = object;
  await fixture.done(restaurant, 'objects.update', { ...place, body });
}

test('backOffice.configuration 200: a new field makes no draft outdated and changes no draft', async () => {
  const restaurant = await openPlain();
  for (const { name: collection } of collections) {
    const [row] = await listRows(restaurant.guid, collection);
    assert.ok(row);
    const place = { collection, guid: row.guid };
    if (collection === 'cashDrawers') await fixture.done(restaurant, 'objects.archive', place);
    else await fixture.done(restaurant, 'objects.update', { ...place, body: { name: 'Other' } });
  }
  const draft = await fixture.done(restaurant, 'draft.get');
  const preview = await fixture.done(restaurant, 'draft.preview');
  assert.equal(draft.results.length, collections.length);
  await ageRows(restaurant);
  for (const { collection, guid } of draft.results) {
    if (collection !== 'cashDrawers') await editNothing(restaurant, collection, guid);
  }
  assert.deepEqual(await fixture.done(restaurant, 'draft.get'), draft);
  assert.deepEqual(await fixture.done(restaurant, 'draft.preview'), preview);
  // Without expectedState, drafts that are outdated are refused.
  const { number } = await fixture.done(restaurant, 'publications.publish', { body: {} });
  const { changes } = await fixture.done(restaurant, 'publications.get', { number });
  for (const { collection, fields } of changes) {
    const names = fields.map(({ field }: { field: string }) => field);
    assert.deepEqual(names, collection === 'cashDrawers' ? [] : ['name'], collection);
  }
});

test('backOffice.configuration.publications.rollBack 200: to states that lack newer fields', async () => {
  const restaurant = await openPlain();
  const served = await fixture.served(restaurant);
  const document = await fixture.done(restaurant, 'export');
  const [item] = await listRows(restaurant.guid, 'menuItems');
  const place = { collection: 'menuItems', guid: item?.guid ?? '' };
  const body = { name: 'Other', calories: 7, visibility: 'NONE' };
  await fixture.done(restaurant, 'objects.update', { ...place, body });
  const { number } = await fixture.done(restaurant, 'publications.publish', { body: {} });
  await ageRows(restaurant);
  const { changes } = await fixture.done(restaurant, 'publications.get', { number });
  assert.deepEqual(changes[0].fields, [
    { field: 'name', before: 'Plain', after: 'Other' },
    { field: 'calories', before: null, after: 7 },
    { field: 'visibility', before: 'ALL', after: 'NONE' },
  ]);
  await fixture.done(restaurant, 'publications.rollBack', { number: 1, body: {} });
  assert.deepEqual(await fixture.served(restaurant), served);
  const plan = await fixture.done(restaurant, 'plan', { body: { document } });
  assert.deepEqual(plan.actions, []);
  await ageRows(restaurant);
  const again = await fixture.call(restaurant, 'publications.rollBack', { number: 1, body: {} });
  assert.equal(again.status, 409, 'nothing differs');
});

test('a draft begins from the same object before and after a new field', async () => {
  const restaurant = await openPlain();
  for (const kind of kinds) {
    const rows = await listRows(restaurant.guid, kind);
    // The type of a code is a constant, which is left out too.
    for (const row of rows.filter(({ fields }) => ![fields.promoCodes].flat()[0])) {
      const state = { multiLocationId: null, externalId: null, archived: false };
      const fields = withoutOptional(kind, row.fields) as Fields;
      const digest = digestOf(stateText({ ...state, fields }));
      assert.equal(baseDigestOf({ ...row, ...state, modifiedAt: null }), digest, kind);
    }
  }
});

test('import --replace: a new field publishes and dates nothing', async () => {
  const name = 'Aged';
  const info = { general: { name, timeZone: 'Europe/Rome', currencyCode: 'EUR' } };
  const document = {
    format: 'servery.group/1',
    managementGroup: { name },
    restaurants: [{ info, configuration: PLAIN }],
  };
  await groups.load(document);
  const text = await groups.dump(name);
  const [restaurant] = JSON.parse(text).restaurants;
  await ageRows(restaurant, groups as unknown as DraftFixture);
  groups.clock.advance(60_000);
  const { changedObjects } = await groups.load(document, { replace: true });
  assert.equal(changedObjects, 0);
  assert.equal(await groups.publishNumber(name), 1);
  assert.equal(await groups.dump(name), text);
});

test('a row that has all fields is taken as it is, so that loading it stays cheap', async () => {
  for (const kind of kinds) {
    for (const row of await listRows(plain.guid, kind)) assert.equal(withAllFields(row), row);
  }
});
