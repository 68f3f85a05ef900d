import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoCallers } from './client.ts';
import { type ConfigurationObject, openRestaurants, wholeCollection } from './fixtures.ts';
import { collections } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { resources } from './resources.ts';

const platform = await platformUnderTest();
const partner = await new DemoCallers(platform).as('partner');

/** The whole configuration of one restaurant: the objects of each collection. */
type Configuration = Readonly<Record<string, readonly ConfigurationObject[]>>;
interface Ref {
  guid: string;
  entityType: string;
  externalId?: string | null;
}

const configurations: Configuration[] = [];
for (const restaurant of openRestaurants(platform.demo)) {
  const configuration: Record<string, ConfigurationObject[]> = {};
  for (const [path] of collections) {
    configuration[path] = await wholeCollection(partner, restaurant, path);
  }
  configurations.push(configuration);
}

/** All objects of a collection in all demo restaurants; fails when there is none. */
function all(path: string): readonly ConfigurationObject[] {
  const objects = configurations.flatMap((configuration) => configuration[path] ?? []);
  assert.ok(objects.length > 0, `the demo group has no ${path}: the test would prove nothing`);
  return objects;
}

/** The values that a field has among the objects. */
const valuesOf = (objects: readonly ConfigurationObject[], field: string) =>
  new Set(objects.map((object) => object[field]));

const above = (value: unknown, least: number) => typeof value === 'number' && value > least;

test('configuration.discounts.list 200: percentages and amounts are in their ranges', () => {
  const discounts = all('discounts');
  for (const { type, percentage, amount, name } of discounts) {
    if (type === 'PERCENT') {
      assert.ok(above(percentage, 0) && Number(percentage) <= 100, `percentage of ${name}`);
    }
    if (type === 'FIXED') assert.ok(above(amount, 0), `amount of ${name}`);
  }
  const types = ['BOGO', 'FIXED', 'FIXED_TOTAL', 'OPEN_FIXED', 'OPEN_PERCENT', 'PERCENT'];
  assert.deepEqual([...valuesOf(discounts, 'type')].sort(), types);
});

test('configuration.discounts.list 200: combos alone have a fixedTotal', () => {
  for (const { type, selectionType, fixedTotal, nonExclusive, name } of all('discounts')) {
    assert.equal(fixedTotal === null, type !== 'FIXED_TOTAL', `fixedTotal of ${name}`);
    if (selectionType === 'ITEM' || type === 'FIXED_TOTAL') {
      assert.equal(nonExclusive, false, `nonExclusive of ${name}`);
    }
  }
});

test('configuration.discounts.list 200 CFG-6: a promo code is a reference of its own', () => {
  const codes = all('discounts').flatMap(({ promoCodes }) => promoCodes as ConfigurationObject[]);
  assert.ok(codes.length > 0);
  for (const { entityType, code } of codes) {
    assert.equal(entityType, 'PromoCode');
    assert.ok(String(code).length > 0);
  }
  assert.equal(new Set(codes.map(({ guid }) => guid)).size, codes.length);
});

test('configuration.breakTypes.list 200: intervals are null where nothing is tracked', () => {
  const breaks = all('breakTypes');
  for (const { trackMissedBreaks, breakIntervalHrs, breakIntervalMins, duration } of breaks) {
    if (trackMissedBreaks) assert.ok(breakIntervalHrs !== null && breakIntervalMins !== null);
    assert.ok(Number(duration) > 0);
  }
  assert.ok(valuesOf(breaks, 'trackMissedBreaks').size > 0);
});

test('configuration.diningOptions.list 200: the three behaviours are there', () => {
  const behaviors = valuesOf(all('diningOptions'), 'behavior');
  for (const behavior of ['DINE_IN', 'TAKE_OUT', 'DELIVERY']) assert.ok(behaviors.has(behavior));
});

test('configuration.menuItems.list 200: 600 items and more, all named', () => {
  const items = all('menuItems');
  assert.ok(valuesOf(items, 'type').has('NONE'));
  assert.ok(items.length >= 600, `the demo group has ${items.length} items`);
  for (const { name } of items) assert.ok(String(name).length > 0);
});

test('configuration.preModifiers.list 200: scaled ones have a factor, added ones a price', () => {
  for (const { scalePrice, scaleFactor, basePrice } of all('preModifiers')) {
    assert.equal(typeof (scalePrice ? scaleFactor : basePrice), 'number');
  }
});

test('configuration.preModifierGroups.list 200: at most one group is the default', () => {
  all('preModifierGroups');
  for (const { preModifierGroups = [] } of configurations) {
    assert.ok(preModifierGroups.filter(({ isDefault }) => isDefault).length <= 1);
  }
});

test('configuration.menuOptionGroups.list 200: minSelections is not above maxSelections', () => {
  for (const { minSelections, maxSelections } of all('menuOptionGroups')) {
    assert.ok(minSelections === null || Number(minSelections) >= 0);
    if (maxSelections !== null) assert.ok(Number(minSelections) <= Number(maxSelections));
  }
});

test('configuration.serviceCharges.list 200 CFG-4: each type has its own number', () => {
  const charges = all('serviceCharges');
  for (const { amountType, amount, percent, serviceChargeCalculation, name } of charges) {
    if (amountType === 'FIXED') assert.equal(typeof amount, 'number', `amount of ${name}`);
    if (amountType === 'PERCENT') assert.equal(typeof percent, 'number', `percent of ${name}`);
    assert.equal(serviceChargeCalculation === null, amountType !== 'PERCENT', `${name}`);
  }
  const types = valuesOf(charges, 'amountType');
  assert.ok(types.has('FIXED') && types.has('PERCENT'), `amount types are ${[...types]}`);
});

test('configuration.serviceCharges.list 200 CFG-4: applicable taxes are whole tax rates', () => {
  const taxes = configurations.flatMap(({ serviceCharges = [], taxRates = [] }) =>
    serviceCharges
      .flatMap(({ applicableTaxes }) => applicableTaxes as ConfigurationObject[])
      .map((tax) => ({ tax, listed: taxRates.find(({ guid }) => guid === tax.guid) })),
  );
  assert.ok(taxes.length > 0);
  for (const { tax, listed } of taxes) assert.deepEqual(tax, listed);
});

test('configuration.taxRates.list 200 CFG-5: the rate and the rounding belong to the type', () => {
  const rates = all('taxRates');
  for (const { type, rate, roundingType, taxTable, name } of rates) {
    const priced = type === 'PERCENT' || type === 'FIXED';
    assert.equal(rate !== null, priced, `rate of ${name}`);
    if (type === 'PERCENT') assert.ok(Number(rate) >= 0 && Number(rate) < 1, `fraction of ${name}`);
    assert.equal(roundingType !== null, type === 'PERCENT', `roundingType of ${name}`);
    assert.equal((taxTable as unknown[]).length > 0, type === 'TABLE', `taxTable of ${name}`);
  }
  const types = valuesOf(rates, 'type');
  assert.ok(types.has('PERCENT') && types.has('TABLE'));
});

test('configuration.taxRates.list 200 CFG-5: tables ascend, conditions are named', () => {
  const rates = all('taxRates');
  const rows = rates.map(({ taxTable }) => taxTable as { start: number; end: number | null }[]);
  for (const table of rows) {
    for (const [index, { start, end }] of table.entries()) {
      assert.ok(end === null || end >= start);
      const previous = table[index - 1]?.end;
      if (typeof previous === 'number') assert.ok(start > previous);
    }
  }
  const conditional = rates.flatMap(({ conditionalTaxRates }) => conditionalTaxRates as unknown[]);
  assert.ok(conditional.length > 0, 'the demo group has a conditional tax rate');
});

test('configuration.serviceAreas.list 200 CFG-2: an area may have a revenue center', () => {
  const centers = all('serviceAreas').map(({ revenueCenter }) => revenueCenter as Ref | null);
  assert.ok(centers.some((center) => center?.entityType === 'RevenueCenter'));
});

test('configuration.tables.list 200 CFG-3: a table stands in an area and a center', () => {
  const tables = all('tables');
  assert.ok(tables.some(({ serviceArea }) => (serviceArea as Ref | null) !== null));
  assert.ok(tables.some(({ revenueCenter }) => (revenueCenter as Ref | null) !== null));
});

test('configuration.menuGroups.list 200: groups, subgroups and menus name each other', () => {
  for (const { menuGroups = [], menus = [] } of configurations) {
    const byGuid = new Map(menuGroups.map((group) => [group.guid, group]));
    for (const group of menuGroups) {
      for (const { guid } of group.subgroups as Ref[]) {
        assert.equal((byGuid.get(guid)?.parent as Ref | null)?.guid, group.guid);
      }
    }
    for (const menu of menus) {
      for (const { guid } of menu.groups as Ref[]) {
        assert.equal((byGuid.get(guid)?.menu as Ref | null)?.guid, menu.guid);
      }
    }
  }
  const subgroups = all('menuGroups').flatMap((group) => group.subgroups as Ref[]);
  assert.ok(subgroups.length > 0, 'the demo group has a subgroup');
});

/** Every reference inside a value, with the resource type that its field is declared with. */
function references(type: string, value: unknown, at: string): [string, string, Ref][] {
  const plain = type.replace(/\?$/, '');
  if (value === null || value === undefined) return [];
  if (plain.endsWith('[]')) {
    return (value as unknown[]).flatMap((each) => references(plain.slice(0, -2), each, at));
  }
  if (plain === 'Reference' || plain === 'ExternalReference') return [[at, plain, value as Ref]];
  return Object.entries(resources[plain] ?? {}).flatMap(([field, inner]) =>
    references(inner, (value as Record<string, unknown>)[field], `${at}.${field}`),
  );
}

test('configuration.menus.list 200 CFG-7: every reference leads to an object', () => {
  let followed = 0;
  for (const configuration of configurations) {
    const byGuid = new Map(
      Object.values(configuration).flatMap((objects) =>
        objects.map((object): [string, ConfigurationObject] => [object.guid, object]),
      ),
    );
    for (const [path, object] of collections) {
      for (const [at, , ref] of references(`${object}[]`, configuration[path], object)) {
        const target = byGuid.get(ref.guid);
        assert.ok(target, `${at} names ${ref.guid}, which nothing serves`);
        assert.equal(ref.entityType, target.entityType, at);
        if ('externalId' in ref) assert.equal(ref.externalId, target.externalId ?? null, at);
        followed += 1;
      }
    }
  }
  assert.ok(followed > 100, `only ${followed} references in the demo group`);
});

test('configuration.menuItems.list 200: external identifiers name an authority', () => {
  const ids = collections
    .flatMap(([path]) => configurations.flatMap((configuration) => configuration[path] ?? []))
    .map(({ externalId }) => externalId)
    .filter((externalId) => typeof externalId === 'string');
  assert.ok(ids.length > 0, 'the demo group has an external identifier');
  for (const id of ids) assert.match(id, /^[^:]+:.+$/);
});
