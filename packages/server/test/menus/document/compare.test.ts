import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf, priceChanges } from '../../../src/menus/document/compare.ts';
import { warningsOf } from '../../../src/menus/document/warnings.ts';
import {
  type Fields,
  groups,
  guidOf,
  items,
  menuOf,
  resolved,
  type TestRestaurant,
} from './restaurant.ts';

const base = (price: number) => ({ pricing: { strategy: 'BASE_PRICE', price } });
const bySize = {
  pricing: { strategy: 'SIZE_PRICE', sizeGroup: guidOf('menuOptionGroups', 'Size') },
};

function warnings(restaurant: TestRestaurant): string[] {
  const { document, resolution } = resolved(restaurant);
  const names = Object.values(restaurant).flatMap((objects) => Object.keys(objects));
  const all = warningsOf(document, resolution.cuts, (collection, guid) => {
    return names.find((name) => guidOf(collection, name) === guid) ?? null;
  });
  return all.map(({ collection, name, field, message }) =>
    [collection, name, field, message.split(/[,;]/)[0]].join(' '),
  );
}

test('menus MENU-9: price changes, also of sizes and by the group, and nothing else', () => {
  const restaurant = (group: number, large: number, item: Fields): TestRestaurant => ({
    ...menuOf(['Soup', 'Pizza', 'Tea'], base(group)),
    menuItems: {
      ...{ Soup: {}, Pizza: bySize, Tea: { ...base(2), ...item } },
      ...{ Small: base(10), Large: base(large) },
    },
    menuOptionGroups: { Size: { options: items('Small', 'Large') } },
  });
  const before = resolved(restaurant(5, 16, {})).document;
  const shown = (after: TestRestaurant | null) =>
    priceChanges(before, after && resolved(after).document).map((change) => [
      ...[change.menu, change.group, change.item, change.size],
      ...[change.oldPrice, change.newPrice],
    ]);
  assert.deepEqual(shown(restaurant(6, 17, { name: 'Tea', kitchenName: 'T' })), [
    ['Menu', 'Group', 'Soup', null, 5, 6],
    ['Menu', 'Group', 'Pizza', 'Large', 16, 17],
  ]);
  assert.deepEqual(shown(restaurant(5, 16, { pricing: { strategy: 'OPEN_PRICE' } })), [
    ['Menu', 'Group', 'Tea', null, 2, null],
  ]);
  assert.deepEqual(shown(restaurant(5, 16, {})), []);
  // What comes or goes has no old or no new price.
  assert.deepEqual(shown(menuOf(['Soup'], base(5))), []);
  assert.deepEqual(shown(null), []);
  assert.deepEqual(itemsOf(null), []);
});

test('menus MENU-9: unpriced items, circles and hidden choices are warnings', () => {
  const hidden = { visibility: 'POS_ONLY' };
  const restaurant = (options: Fields, group: Fields, item: Fields): TestRestaurant => ({
    ...menuOf(['Soup']),
    menuItems: {
      Soup: { ...base(5), optionGroups: groups('Bread'), ...item },
      Roll: options,
      Toast: {},
      Butter: { visibility: 'POS_ONLY' },
    },
    menuOptionGroups: {
      Bread: { options: items('Roll', 'Toast'), ...group },
      Spread: { options: items('Butter'), minSelections: 1 },
    },
  });
  const cases: readonly (readonly [Fields, Fields, Fields, readonly string[]])[] = [
    [{}, {}, {}, []],
    [
      {},
      {},
      { pricing: null },
      ['menuItems Soup pricing has no price in the group "Group" of the menu "Menu"'],
    ],
    [{}, {}, { pricing: { strategy: 'OPEN_PRICE' } }, []],
    [hidden, { minSelections: 1 }, {}, []],
    [
      hidden,
      { minSelections: 2 },
      {},
      ['menuOptionGroups Bread  requires 2 of its options for "Soup"'],
    ],
    [hidden, { minSelections: 2 }, hidden, []],
    [
      hidden,
      { minSelections: 2, optionSettings: [{ item: items('Toast')[0], allowsDuplicates: true }] },
      {},
      [],
    ],
    [{ optionGroups: groups('Bread') }, {}, {}, ['menuOptionGroups Bread  has "Roll"']],
    [
      { optionGroups: groups('Spread') },
      {},
      {},
      ['menuOptionGroups Spread  requires 1 of its options for "Roll"'],
    ],
    [{ optionGroups: groups('Spread'), ...hidden }, {}, {}, []],
  ];
  for (const [option, group, item, expected] of cases) {
    assert.deepEqual(warnings(restaurant(option, group, item)), expected);
  }
});
