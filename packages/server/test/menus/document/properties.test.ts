import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenusDocument, ModifierGroup, ModifierOption } from '@servery/contract';
import fc from 'fast-check';
import { MOST_BYTES, MOST_ENTRIES } from '../../../src/menus/document/limits.ts';
import { type ResolvedMenus, resolveMenus } from '../../../src/menus/document/resolve.ts';
import {
  type Fields,
  groups,
  guidOf,
  items,
  rates,
  sourceOf,
  type TestRestaurant,
} from './restaurant.ts';

const RUNS = { numRuns: 40 };
const ITEMS = ['a', 'b', 'c', 'd', 'e'];
const OPTION_GROUPS = ['p', 'q', 'r', 's'];
const MENUS = ['Lunch', 'Dinner'];
const GROUPS = ['one', 'two', 'three', 'four'];

const some = (names: readonly string[]) =>
  fc.subarray([...names], { maxLength: Math.min(3, names.length) });
const prices = fc.integer({ min: 0, max: 900 }).map((cents) => cents / 100);
const pricing = fc.oneof(
  fc.constant(null),
  fc.record({ strategy: fc.constant('BASE_PRICE'), price: prices }),
  fc.constant({ strategy: 'GROUP_PRICE' }),
  fc.constant({ strategy: 'OPEN_PRICE' }),
  fc.constant({ strategy: 'PRICE_LEVEL', priceGroup: guidOf('priceGroups', 'Level') }),
  fc.record({ strategy: fc.constant('SIZE_PRICE'), sizeGroup: fc.constantFrom(...groups('s')) }),
  fc.record({
    strategy: fc.constant('MENU_SPECIFIC_PRICE'),
    price: prices,
    menuPrices: fc
      .record({ menu: fc.constant(guidOf('menus', 'Lunch')), price: prices })
      .map((one) => [one]),
  }),
);
const groupPricing = pricing.filter(
  (one) => one === null || !['GROUP_PRICE', 'MENU_SPECIFIC_PRICE'].includes(one.strategy),
);
const shown = {
  channels: fc.option(fc.subarray(['POS', 'KIOSK', 'ORDERING_PARTNERS'])),
  visibility: fc.constantFrom('ALL', 'ALL', 'POS_ONLY', 'NONE'),
  taxRates: fc.option(some(['State', 'City']).map((names) => rates(...names))),
};
const item = fc.record({
  ...shown,
  pricing,
  optionGroups: some(OPTION_GROUPS).map((names) => groups(...names)),
  portions: some(['e']).map((names) => items(...names)),
  inheritOptionGroups: fc.boolean(),
  modifierTaxBehavior: fc.constantFrom('INHERIT', 'UNIQUE', 'OVERRIDE'),
  defaultOptions: fc.constantFrom(null, [], [{ optionGroup: groups('p')[0], item: items('a')[0] }]),
});
const optionGroup = fc.record({
  options: some(ITEMS).map((names) => items(...names)),
  maxSelections: fc.constantFrom(null, 1, 2),
  portionsEnabled: fc.boolean(),
  allowPreModifiers: fc.boolean(),
  sizeBehavior: fc.constantFrom('ITEM_SIZE', 'OWN_SIZE'),
});
const menuGroup = fc.record({
  ...shown,
  pricing: groupPricing,
  items: some(ITEMS).map((names) => items(...names)),
  optionGroups: some(OPTION_GROUPS).map((names) => groups(...names)),
  inheritOptionGroups: fc.boolean(),
});
const named = <Value>(names: readonly string[], value: fc.Arbitrary<Value>) =>
  fc
    .tuple(...names.map(() => value))
    .map(
      (values): Record<string, Value> =>
        Object.fromEntries(names.map((name, index) => [name, values[index] as Value])),
    );

const restaurants: fc.Arbitrary<TestRestaurant> = fc
  .record({
    menuItems: named(ITEMS, item),
    menuOptionGroups: named(OPTION_GROUPS, optionGroup),
    menus: named(MENUS, fc.record(shown)),
    menuGroups: named(GROUPS, menuGroup),
    level: groupPricing.filter((one) => one?.strategy !== 'PRICE_LEVEL'),
  })
  .map(({ menus, menuGroups, level, ...rest }) => ({
    ...rest,
    // Lunch has one with two in it, Dinner has three and four.
    menus: {
      Lunch: { ...menus.Lunch, groups: [guidOf('menuGroups', 'one')] },
      Dinner: {
        ...menus.Dinner,
        groups: [guidOf('menuGroups', 'three'), guidOf('menuGroups', 'four')],
      },
    },
    menuGroups: {
      ...menuGroups,
      one: { ...menuGroups.one, subgroups: [guidOf('menuGroups', 'two')] },
    },
    priceGroups: { Level: { pricing: level } },
    taxRates: { State: { isDefault: true }, City: {} },
    preModifierGroups: { Standard: { isDefault: true } },
  }));

function documentOf(restaurant: TestRestaurant): ResolvedMenus {
  const { refusal, ...rest } = resolveMenus(sourceOf(restaurant));
  assert.ok(refusal === null && 'document' in rest && rest.document);
  return rest.document;
}

/** Calls back for each group and item with what it is in, in the order of the document. */
function walk(
  menus: ResolvedMenus['menus'],
  visit: (one: Group | Item, above: Menu | Group) => void,
): void {
  const walkGroups = (all: readonly Group[], above: Menu | Group) => {
    for (const group of all) {
      visit(group, above);
      walkGroups(group.menuGroups, group);
      for (const one of group.menuItems) visit(one, group);
    }
  };
  for (const menu of menus) walkGroups(menu.menuGroups, menu);
}

type Menu = MenusDocument['menus'][number];
type Group = Menu['menuGroups'][number];
type Item = Group['menuItems'][number];

test('menus MENU-2: equal sources give equal bytes, in any order', () => {
  fc.assert(
    fc.property(restaurants, fc.infiniteStream(fc.nat()), (restaurant, numbers) => {
      const source = sourceOf(restaurant);
      const shuffled = [...source.objects]
        .map((object) => ({ object, place: Number(numbers.next().value) }))
        .sort((one, other) => one.place - other.place)
        .map(({ object }) => object);
      const [one, other] = [source, { ...source, objects: shuffled }].map(resolveMenus);
      assert.deepEqual(JSON.stringify(one), JSON.stringify(other));
    }),
    RUNS,
  );
});

test('menus MENU-21: references count up at their first meeting, and all lead somewhere', () => {
  fc.assert(
    fc.property(restaurants, (restaurant) => {
      const document = documentOf(restaurant);
      const met: number[] = [];
      const meet = (reference: number) => {
        if (met.includes(reference)) return false;
        met.push(reference);
        return true;
      };
      const meetGroups = (references: readonly number[]) => {
        for (const reference of references) {
          if (!meet(reference)) continue;
          const group = document.modifierGroupReferences[reference];
          assert.equal(group?.referenceId, reference);
          const words = group.preModifierGroupReference;
          if (words !== null) {
            meet(words);
            assert.equal(document.preModifierGroupReferences[words]?.referenceId, words);
          }
          for (const option of group.modifierOptionReferences) {
            if (!meet(option)) continue;
            const entry = document.modifierOptionReferences[option];
            assert.equal(entry?.referenceId, option);
            meetGroups(entry.modifierGroupReferences);
          }
        }
      };
      walk(document.menus, (one) => {
        if (!('menuItems' in one)) meetGroups(one.modifierGroupReferences);
      });
      assert.deepEqual(
        met,
        met.map((_, index) => index + 1),
      );
      const { modifierGroupReferences, modifierOptionReferences, ...rest } = document;
      const maps = [modifierGroupReferences, modifierOptionReferences];
      const entries = [...maps, rest.preModifierGroupReferences].flatMap(Object.keys);
      assert.equal(entries.length, met.length);
      for (const { portions } of Object.values(modifierOptionReferences)) {
        for (const reference of portions.flatMap((one) => one.modifierGroupReferences)) {
          assert.ok(modifierGroupReferences[reference]);
        }
      }
    }),
    RUNS,
  );
});

test('menus MENU-20: no two entries show the same', () => {
  fc.assert(
    fc.property(restaurants, (restaurant) => {
      const { modifierGroupReferences, modifierOptionReferences } = documentOf(restaurant);
      const groupText = ({
        referenceId,
        modifierOptionReferences: options,
        ...group
      }: ModifierGroup) =>
        JSON.stringify([
          group,
          options.map((one) => optionText(at(modifierOptionReferences, one))),
        ]);
      const optionText = (option: ModifierOption): string => {
        const { referenceId, portions, modifierGroupReferences: below, ...rest } = option;
        return JSON.stringify([
          rest,
          below.map((one) => groupText(at(modifierGroupReferences, one))),
        ]);
      };
      const texts = [
        Object.values(modifierGroupReferences).map(groupText),
        Object.values(modifierOptionReferences).map(optionText),
      ];
      for (const all of texts) assert.equal(new Set(all).size, all.length);
    }),
    RUNS,
  );
});

function at<Entry>(map: Readonly<Record<string, Entry>>, reference: number): Entry {
  const found = map[reference];
  assert.ok(found);
  return found;
}

test('menus MENU-18: nothing is shown where what it is in is hidden', () => {
  fc.assert(
    fc.property(restaurants, (restaurant) => {
      const document = documentOf(restaurant);
      const within = (one: Shown, above: Shown) =>
        assert.ok(one.visibility.every((channel) => above.visibility.includes(channel)));
      const checkGroups = (host: Shown & { modifierGroupReferences: number[] }) => {
        for (const reference of host.modifierGroupReferences) {
          const group = at(document.modifierGroupReferences, reference);
          assert.deepEqual(group.visibility, host.visibility);
          for (const option of group.modifierOptionReferences) {
            const entry = at(document.modifierOptionReferences, option);
            within(entry, group);
            checkGroups(entry);
          }
        }
      };
      walk(document.menus, (one, above) => {
        within(one, above);
        if (!('menuItems' in one)) checkGroups(one);
      });
    }),
    RUNS,
  );
});

interface Shown {
  readonly visibility: readonly string[];
}

test('menus MENU-11: each price is that of the nearest pricing', () => {
  fc.assert(
    fc.property(restaurants, (restaurant) => {
      const { menuItems, menuGroups, priceGroups } = restaurant;
      const ways: Record<string, readonly string[]> = {
        one: ['one'],
        two: ['two', 'one'],
        three: ['three'],
        four: ['four'],
      };
      const group = (guid: string) =>
        GROUPS.find((name) => guidOf('menuGroups', name) === guid) ?? '';
      const name = (guid: string) => ITEMS.find((one) => guidOf('menuItems', one) === guid) ?? '';
      walk(documentOf(restaurant).menus, (one, above) => {
        if ('menuItems' in one) return;
        const pricings = [
          menuItems?.[name(one.guid)]?.pricing as Fields | null,
          ...(ways[group(above.guid)] ?? []).map(
            (way) => menuGroups?.[way]?.pricing as Fields | null,
          ),
        ];
        let found = pricings.find((each) => each && each.strategy !== 'GROUP_PRICE') ?? null;
        if (found?.strategy === 'PRICE_LEVEL') found = priceGroups?.Level?.pricing as Fields | null;
        const strategy = found?.strategy ?? 'BASE_PRICE';
        assert.equal(one.pricingStrategy, strategy);
        const isLunch = ['one', 'two'].includes(group(above.guid));
        const [atLunch] = (found?.menuPrices ?? []) as { price: number }[];
        const price = strategy === 'MENU_SPECIFIC_PRICE' && isLunch ? atLunch?.price : found?.price;
        assert.equal(one.price, price ?? null);
      });
    }),
    RUNS,
  );
});

const many = <Value>(count: number, entryOf: (index: number) => [string, Value]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entryOf(index)));

/** Items in pages of 1,000; each has all of `optionGroups`, and a tax of its own if asked for. */
function large(
  itemCount: number,
  groupCount: number,
  optionCount: number,
  { isEachItsOwn = false, description = '' } = {},
) {
  const optionsOf = (group: number) =>
    Array.from({ length: optionCount }, (_, index) => `option ${group} ${index}`);
  const pages = Array.from({ length: Math.ceil(itemCount / 1_000) }, (_, page) => `page ${page}`);
  const all = Array.from({ length: itemCount }, (_, index) => `item ${index}`);
  const optionGroups = groups(
    ...Array.from({ length: groupCount }, (_, index) => `group ${index}`),
  );
  return {
    menus: { Menu: { groups: pages.map((page) => guidOf('menuGroups', page)) } },
    menuGroups: Object.fromEntries(
      pages.map((page, at) => [
        page,
        { items: items(...all.slice(at * 1_000, (at + 1) * 1_000)), optionGroups },
      ]),
    ),
    menuItems: {
      ...many(itemCount, (index) => [
        `item ${index}`,
        {
          inheritOptionGroups: true,
          description,
          ...(isEachItsOwn && { taxRates: rates(`tax ${index}`) }),
        },
      ]),
      ...Object.fromEntries(
        Array.from({ length: groupCount }, (_, group) => optionsOf(group))
          .flat()
          .map((name) => [name, {}]),
      ),
    },
    menuOptionGroups: many(groupCount, (group) => [
      `group ${group}`,
      { options: items(...optionsOf(group)) },
    ]),
    taxRates: isEachItsOwn ? many(itemCount, (index) => [`tax ${index}`, {}]) : {},
  };
}

test('menus: a large menu is resolved, and too large ones name their modifier groups', () => {
  const fits = resolveMenus(sourceOf(large(2_000, 10, 500)));
  assert.ok(fits.refusal === null && fits.document);
  assert.equal(Object.keys(fits.document.modifierOptionReferences).length, 5_000);
  const refused = [
    // Too many bytes of items, and too many instances of three groups.
    large(2_000, 1, 1, { description: 'x'.repeat(MOST_BYTES / 2_000) }),
    large(MOST_ENTRIES / 100, 4, 100, { isEachItsOwn: true }),
  ].map((restaurant) => resolveMenus(sourceOf(restaurant)).refusal);
  for (const refusal of refused) {
    assert.equal(refusal?.reason, 'TOO_LARGE');
    assert.ok(refusal?.reason === 'TOO_LARGE');
    assert.match(refusal.largest[0]?.name ?? '', /^group \d$/);
  }
  assert.ok(refused[1]?.reason === 'TOO_LARGE' && refused[1].largest.length === 3);
});
