import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenusDocument } from '@servery/contract';
import { type GuestMenuOptions, guestMenu } from './guest-menu.ts';

const ALL = ['POS', 'KIOSK', 'ORDERING_PARTNERS'];
const noRules = { timeSpecificPricingRules: [], sizeSpecificPricingGuid: null };
const goods = (name: string, more: object = {}) => ({
  ...{ name, guid: name, multiLocationId: name, visibility: ALL, price: 5, portions: [] },
  ...{ pricingStrategy: 'BASE_PRICE', pricingRules: null, modifierGroupReferences: [] },
  ...more,
});
const option = (name: string, more: object = {}) =>
  goods(name, { isDefault: false, allowsDuplicates: false, ...more });
const group = (name: string, referenceId: number, options: number[], more: object = {}) => ({
  ...{ name, guid: name, referenceId, visibility: ALL, modifierOptionReferences: options },
  ...{ pricingStrategy: 'NONE', pricingRules: null, preModifierGroupReference: null },
  ...{ minSelections: 0, maxSelections: null, requiredMode: 'OPTIONAL' },
  defaultOptionsChargePrice: 'YES',
  ...more,
});

const happyHour = {
  ...noRules,
  timeSpecificPricingRules: [
    {
      ...{ timeSpecificPrice: 3, basePrice: 5 },
      schedule: [{ days: ['WEDNESDAY'], timeRanges: [{ start: '16:00', end: '17:59' }] }],
    },
  ],
  sizeSequencePricingRules: [],
};
const bySize = {
  ...{ ...noRules, sizeSpecificPricingGuid: 'Size' },
  sizeSequencePricingRules: [
    { sizeName: 'Small', sizeGuid: 'Small', sequencePrices: [{ sequence: 1, price: 1 }] },
    {
      ...{ sizeName: 'Large', sizeGuid: 'Large' },
      sequencePrices: [
        { sequence: 1, price: 2 },
        { sequence: 2, price: 1.5 },
      ],
    },
  ],
};

/** A restaurant in New York, with one item for each thing that can be said of one. */
const document = {
  ...{ lastUpdated: 'then', restaurantTimeZone: 'America/New_York' },
  menus: [
    {
      ...{ name: 'Day', guid: 'Day', visibility: ALL },
      availability: {
        alwaysAvailable: false,
        schedule: [{ days: ['WEDNESDAY'], timeRanges: [{ start: '10:00', end: '17:59' }] }],
      },
      menuGroups: [
        {
          ...{ name: 'Food', guid: 'Food', visibility: ALL },
          menuGroups: [
            { name: 'Empty', guid: 'Empty', visibility: ALL, menuGroups: [], menuItems: [] },
          ],
          menuItems: [
            goods('Soup'),
            goods('Beer', { pricingStrategy: 'TIME_SPECIFIC_PRICE', pricingRules: happyHour }),
            goods('Staff meal', { visibility: ['POS'] }),
            goods('Unpriced', { price: null }),
            goods('Open', { price: null, pricingStrategy: 'OPEN_PRICE' }),
            goods('Pizza', {
              ...{ price: null, pricingStrategy: 'SIZE_PRICE', modifierGroupReferences: [1, 4] },
              pricingRules: { ...bySize, sizeSequencePricingRules: [] },
              portions: [{ name: 'Half', guid: 'Half', modifierGroupReferences: [4] }],
            }),
            goods('Steak', { modifierGroupReferences: [7] }),
            goods('Riddle', { modifierGroupReferences: [9] }),
          ],
        },
      ],
    },
    {
      ...{ name: 'Hidden', guid: 'Hidden', visibility: [], menuGroups: [] },
      availability: { alwaysAvailable: true },
    },
  ],
  modifierGroupReferences: {
    1: group('Size', 1, [2, 3], { minSelections: 1, maxSelections: 1, requiredMode: 'REQUIRED' }),
    4: group('Toppings', 4, [5, 6], {
      ...{ pricingStrategy: 'SIZE_SEQUENCE_PRICE', pricingRules: bySize },
      ...{ defaultOptionsChargePrice: 'NO', preModifierGroupReference: 20 },
    }),
    7: group('Temperature', 7, [8], { requiredMode: 'REQUIRED' }),
    9: group('Circle', 9, [10]),
  },
  modifierOptionReferences: {
    2: option('Small', { price: 10 }),
    3: option('Large', { price: 16 }),
    5: option('Ham', { price: null, pricingStrategy: 'GROUP_PRICE', isDefault: true }),
    6: option('Secret', { visibility: [] }),
    8: option('Rare'),
    10: option('Again', { modifierGroupReferences: [9] }),
  },
  preModifierGroupReferences: { 20: { preModifiers: [{ name: 'EXTRA', guid: 'EXTRA' }] } },
} as unknown as MenusDocument;

const inHours = new Date('2026-07-01T15:59:59-04:00');
const menuAt = (at: string | Date, more: Partial<GuestMenuOptions> = {}) =>
  guestMenu(document, { at: new Date(at), ...more });
const itemsAt = (at: string | Date, more: Partial<GuestMenuOptions> = {}) =>
  Object.fromEntries(
    menuAt(at, more).menus.flatMap(({ groups }) =>
      groups.flatMap(({ items }) => items.map((item) => [item.name, item])),
    ),
  );

test('guest menu: shows what is meant for the channel and offered at the instant', () => {
  const names = ['Soup', 'Beer', 'Unpriced', 'Open', 'Pizza', 'Steak', 'Riddle'];
  assert.deepEqual(Object.keys(itemsAt(inHours)), names);
  assert.ok('Staff meal' in itemsAt(inHours, { channel: 'POS' }));
  assert.deepEqual(menuAt('2026-07-01T18:00:00-04:00').menus, []);
  assert.deepEqual(menuAt('2026-07-02T12:00:00-04:00').menus, []);
  const [menu] = menuAt(inHours).menus;
  assert.deepEqual(
    menu?.groups.map(({ name, groups }) => [name, groups.length]),
    [['Food', 0]],
  );
});

test('guest menu: prices by time change with the minute', () => {
  const beerAt = (at: string) => itemsAt(`2026-07-01T${at}-04:00`).Beer?.price;
  assert.equal(beerAt('15:59:59.999'), 5);
  assert.equal(beerAt('16:00:00'), 3);
  assert.equal(beerAt('17:59:59.999'), 3);
});

test('guest menu: sizes have prices, and options have theirs for each size', () => {
  const { Pizza: pizza } = itemsAt(inHours);
  assert.ok(pizza);
  assert.deepEqual(
    pizza.sizes.map(({ name, price, optionGroup }) => [name, price, optionGroup]),
    [
      ['Small', 10, 'Size'],
      ['Large', 16, 'Size'],
    ],
  );
  assert.deepEqual([pizza.price, pizza.priceFrom, pizza.canOrder], [null, 10, true]);
  const [size, toppings] = pizza.modifierGroups;
  assert.deepEqual([size?.isSize, toppings?.isSize], [true, false]);
  assert.deepEqual(
    toppings?.options.map(({ name, prices, isIncluded }) => [name, prices, isIncluded]),
    [
      [
        'Ham',
        [
          { size: 'Small', prices: [1] },
          { size: 'Large', prices: [2, 1.5] },
        ],
        true,
      ],
    ],
  );
  assert.deepEqual(toppings?.preModifiers[0]?.name, 'EXTRA');
  assert.equal(pizza.portions[0]?.modifierGroups[0]?.guid, 'Toppings');
});

test('guest menu: says what can be ordered, with stock merged in', () => {
  const { Unpriced: unpriced, Open: open, Steak: steak } = itemsAt(inHours);
  assert.deepEqual([unpriced?.canOrder, open?.canOrder, steak?.canOrder], [false, true, true]);
  const stock = [
    { guid: 'Soup', status: 'OUT_OF_STOCK' as const, quantity: null },
    { guid: 'Beer', status: 'QUANTITY' as const, quantity: 2 },
    { guid: 'Rare', status: 'OUT_OF_STOCK' as const, quantity: null },
    { guid: 'Small', status: 'OUT_OF_STOCK' as const, quantity: null },
  ];
  const found = itemsAt(inHours, { stock });
  assert.deepEqual([found.Soup?.stock, found.Soup?.canOrder], ['OUT_OF_STOCK', false]);
  assert.deepEqual([found.Beer?.quantity, found.Beer?.canOrder], [2, true]);
  // Its only temperature is out; a pizza can still be large.
  assert.deepEqual([found.Steak?.canOrder, found.Pizza?.canOrder], [false, true]);
  assert.equal(found.Pizza?.sizes[0]?.canOrder, false);
});

test('guest menu: a circle of modifiers ends', () => {
  const { Riddle: riddle } = itemsAt(inHours);
  assert.deepEqual(riddle?.modifierGroups[0]?.options[0]?.modifierGroups, []);
});
