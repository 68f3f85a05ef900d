import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResolvedMenuGroup, ResolvedMenuItem } from '@servery/contract';
import {
  type Configuration,
  type ModifierGroup,
  type PricingContext,
  priceOrder,
  type SelectionRequest,
} from '@servery/pricing';
import type { ObjectContents } from '../../configuration/document/contents.ts';
import { withAllFields } from '../../configuration/document/stored-object.ts';
import { readGroupDocument } from '../../group-document/read-document.ts';
import { resolveMenus } from '../../menus/document/resolve.ts';
import { demoGroupDocument } from './demo-group.ts';

const NOON = Date.UTC(2026, 10, 23, 12);

const restaurants = readGroupDocument(JSON.stringify(demoGroupDocument())).restaurants.map(
  ({ guid, info, objects }) => {
    const { name, timeZone, currencyCode } = info.general;
    const contents = objects.map(withAllFields);
    const resolved = resolveMenus({
      brand: 'Acme',
      restaurantGuid: guid,
      timeZone,
      objects: contents,
    });
    assert.equal(resolved.refusal, null);
    const { document, supplement } = resolved;
    assert.ok(document, `${name} has menus`);
    return { name, currencyCode, contents, document, supplement };
  },
);
type Restaurant = (typeof restaurants)[number];

/** Every item of the menus, with the group that it is in. */
function itemsOf({ document }: Restaurant): { item: ResolvedMenuItem; group: string }[] {
  const below = (group: ResolvedMenuGroup): { item: ResolvedMenuItem; group: string }[] => [
    ...group.menuItems.map((item) => ({ item, group: group.guid })),
    ...group.menuGroups.flatMap(below),
  ];
  return document.menus.flatMap(({ menuGroups }) => menuGroups.flatMap(below));
}

function fieldsOf(
  contents: readonly ObjectContents[],
  collection: string,
): (Readonly<Record<string, unknown>> & { readonly guid: string })[] {
  const found = contents.filter((object) => object.collection === collection && !object.archived);
  return found.map(({ guid, fields }) => ({ ...fields, guid }));
}

test('MENU-31: every item and modifier of the demo group has a price', () => {
  for (const restaurant of restaurants) {
    for (const { item } of itemsOf(restaurant)) {
      const isPriced = item.price !== null || /^(SIZE|OPEN)_PRICE$/.test(item.pricingStrategy);
      assert.ok(isPriced, `${restaurant.name}: ${item.name}`);
    }
    const { modifierGroupReferences, modifierOptionReferences } = restaurant.document;
    for (const group of Object.values(modifierGroupReferences)) {
      for (const reference of group.modifierOptionReferences) {
        const option = modifierOptionReferences[reference];
        const isPriced = option?.price !== null || group.pricingStrategy !== 'NONE';
        assert.ok(isPriced, `${restaurant.name}: ${group.name}: ${option?.name}`);
      }
    }
  }
});

test('MENU-31: prices have the decimals of their currency, and are those of a restaurant', () => {
  // In currency units, the least and the most that a dish costs.
  const usual: Readonly<Record<string, readonly [number, number]>> = {
    CAD: [3, 25],
    EUR: [1.5, 65],
    JPY: [3, 3000],
    KWD: [0.05, 25],
    USD: [2, 40],
  };
  for (const restaurant of restaurants) {
    const [least = 0, most = 0] = usual[restaurant.currencyCode] ?? [];
    for (const { item } of itemsOf(restaurant)) {
      if (!item.price || item.visibility.length < 2) continue;
      assert.ok(item.price >= least && item.price <= most, `${item.name}: ${item.price}`);
      const minor = item.price * 10 ** exponentOf(restaurant);
      assert.ok(Math.abs(minor - Math.round(minor)) < 1e-6, `${item.name}: ${item.price}`);
    }
  }
});

test('MENU-31: the diner has one of each way to price, tax, show and mark an item', () => {
  const [diner] = restaurants;
  assert.ok(diner);
  const { document, contents } = diner;
  const items = itemsOf(diner).map(({ item }) => item);
  const groups = Object.values(document.modifierGroupReferences);
  const entered = fieldsOf(contents, 'menuItems');
  const has = (field: string, value: unknown) =>
    entered.some((fields) => JSON.stringify(fields[field]) === JSON.stringify(value));
  const tables = fieldsOf(contents, 'taxRates').filter((rate) => rate.type === 'TABLE');
  const tableGuids = new Set(tables.map(({ guid }) => guid));
  const strategies = new Set(items.map(({ pricingStrategy }) => pricingStrategy));
  const groupStrategies = new Set(groups.map(({ pricingStrategy }) => pricingStrategy));
  const seen = {
    'a base price': strategies.has('BASE_PRICE'),
    sizes: strategies.has('SIZE_PRICE'),
    'a happy hour': strategies.has('TIME_SPECIFIC_PRICE'),
    'a menu price': strategies.has('MENU_SPECIFIC_PRICE'),
    'an open price': strategies.has('OPEN_PRICE'),
    'a price level': /"strategy":"PRICE_LEVEL"/.test(JSON.stringify(entered)),
    halves: items.some(({ portions }) => portions.some((part) => part.priceScaleFactor === 0.5)),
    'a sequence': groupStrategies.has('SEQUENCE_PRICE'),
    'prices by size': groupStrategies.has('SIZE_PRICE'),
    'a sequence by size': groupStrategies.has('SIZE_SEQUENCE_PRICE'),
    substitution: groups.some((group) => group.defaultOptionsSubstitutionPricing === 'YES'),
    'an included tax': items.some(({ taxInclusion }) => taxInclusion === 'TAX_INCLUDED'),
    'a table tax': items.some(({ taxInfo }) => taxInfo.some((guid) => tableGuids.has(guid))),
    'an item without tax': items.some(({ taxInfo }) => taxInfo.length === 0),
    'a unique modifier tax': has('modifierTaxBehavior', 'UNIQUE'),
    'an overriding modifier tax': has('modifierTaxBehavior', 'OVERRIDE'),
    'a schedule': document.menus.some(({ availability }) => !availability.alwaysAvailable),
    'a hidden item': items.some(({ visibility }) => visibility.length === 0),
    'an item tag': items.some(({ itemTags }) => itemTags.length > 0),
    alcohol: has('containsAlcohol', 'YES'),
    'default options': entered.some(({ defaultOptions }) => defaultOptions !== null),
  };
  assert.deepEqual(
    Object.entries(seen).filter(([, isThere]) => !isThere),
    [],
  );
});

test('MENU-31: an order of any item of the demo group has a price, whatever the taxes', () => {
  for (const restaurant of restaurants) {
    const { contents, document, supplement } = restaurant;
    const configuration = {
      taxRates: fieldsOf(contents, 'taxRates'),
      discounts: [],
      serviceCharges: [],
      diningOptions: fieldsOf(contents, 'diningOptions'),
    } as unknown as Configuration;
    const context: PricingContext = {
      menus: document,
      supplement,
      configuration,
      settings: { currencyExponent: exponentOf(restaurant), percentTaxBasis: 'selection' },
      instant: NOON,
    };
    const diningOption = { guid: configuration.diningOptions[0]?.guid ?? null };
    for (const { item, group } of itemsOf(restaurant)) {
      const selection: SelectionRequest = {
        item: { guid: item.guid },
        itemGroup: { guid: group },
        openPriceAmount: item.pricingStrategy === 'OPEN_PRICE' ? 1 : null,
        modifiers: required(restaurant, item.modifierGroupReferences),
      };
      const { priced, faults } = priceOrder(
        { diningOption, checks: [{ selections: [selection] }] },
        context,
      );
      const called = `${restaurant.name}: ${item.name}`;
      assert.equal(faults, null, called);
      const [check] = priced.checks;
      assert.ok(check && check.totalMinor >= check.amountMinor, called);
      assert.ok(check.amountMinor > 0 || item.price === 0, called);
    }
  }
});

/** The first options of each group that asks for some, and what they ask for themselves. */
function required(restaurant: Restaurant, references: readonly number[]): SelectionRequest[] {
  const { modifierGroupReferences, modifierOptionReferences } = restaurant.document;
  return references.flatMap((reference) => {
    const group = modifierGroupReferences[reference];
    assert.ok(group, `${restaurant.name}: modifier group ${reference}`);
    const options = group.modifierOptionReferences.slice(0, group.minSelections);
    return options.flatMap((key) => {
      const option = modifierOptionReferences[key];
      assert.ok(option, `${restaurant.name}: modifier ${key}`);
      return {
        item: { guid: option.guid },
        optionGroup: { guid: (group satisfies ModifierGroup).guid },
        modifiers: required(restaurant, option.modifierGroupReferences),
      };
    });
  });
}

function exponentOf({ currencyCode }: Restaurant): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
  return format.resolvedOptions().maximumFractionDigits ?? 0;
}
