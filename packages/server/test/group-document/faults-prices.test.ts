import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidGroupDocument } from '../../src/group-document/faults.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';

type Fields = Readonly<Record<string, unknown>>;
type Configuration = Readonly<Record<string, readonly Fields[]>>;

const general = { name: 'Bar', timeZone: 'Europe/Rome', currencyCode: 'EUR' };

function faultsOf(configuration: Configuration, currencyCode = 'EUR'): string[] {
  const info = { general: { ...general, currencyCode } };
  const document = {
    format: 'servery.group/1',
    managementGroup: { name: 'Group' },
    restaurants: [{ info, configuration }],
  };
  try {
    readGroupDocument(JSON.stringify(document));
    return [];
  } catch (error) {
    assert.ok(error instanceof InvalidGroupDocument, String(error));
    return error.faults.map(({ path, message }) => `${path}: ${message}`);
  }
}

const START = 'restaurants[0].configuration.';

/** These faults, and no others. */
function testFaults(cases: readonly (readonly [string, Configuration, readonly RegExp[]])[]) {
  for (const [title, configuration, expected] of cases) {
    test(`group document 422: ${title}`, () => {
      const faults = faultsOf(configuration);
      assert.equal(faults.length, expected.length, faults.join('\n'));
      assert.ok(faults.every((fault) => fault.startsWith(START)));
      for (const message of expected) assert.match(faults.join('\n'), message);
    });
  }
}

const item = (pricing: unknown, more: Fields = {}): Configuration => ({
  menuItems: [{ name: 'Ale', pricing, ...more }],
});
const base = (price: number) => ({ strategy: 'BASE_PRICE', price });
const hours = (start: string, end: string, days: readonly string[]) => ({
  price: 5,
  days,
  start,
  end,
});
const happy = (...timePrices: readonly Fields[]) =>
  item({ strategy: 'TIME_SPECIFIC_PRICE', price: 8, timePrices });
const group = (fields: Fields): Configuration => ({
  menuItems: [{ name: 'Nuts' }, { name: 'Jam' }, { name: 'Ice' }],
  menuOptionGroups: [{ name: 'Toppings', options: ['Nuts', 'Jam'], ...fields }],
});
const byGroup = (groupPricing: Fields) => group({ pricingMode: 'GROUP', groupPricing });

testFaults([
  [
    'a price with more digits than the currency has',
    item(base(8.505)),
    [/pricing\.price: must have at most 2 decimals, as EUR has/],
  ],
  ['a negative price', item(base(-1)), [/pricing\.price: must not be negative/]],
  [
    'a strategy without what it needs',
    item({ strategy: 'BASE_PRICE' }),
    [/pricing\.price: is missing; the strategy BASE_PRICE needs it/],
  ],
  [
    'a strategy with what it does not take',
    item({ strategy: 'OPEN_PRICE', price: 2 }),
    [/pricing\.price: must be absent; the strategy OPEN_PRICE doesn't use it/],
  ],
  [
    'hours that overlap, also over midnight and the end of the week',
    happy(
      hours('22:00', '02:00', ['SATURDAY']),
      hours('02:00', '03:00', ['SUNDAY']),
      hours('02:01', '03:00', ['MONDAY']),
    ),
    [/timePrices\[1\]: overlaps the times of timePrices\[0\]; change one/],
  ],
  [
    'one menu with two prices',
    {
      menus: [{ name: 'Dinner' }],
      ...item({
        strategy: 'MENU_SPECIFIC_PRICE',
        price: 8,
        menuPrices: [
          { menu: 'Dinner', price: 9 },
          { menu: 'Dinner', price: 7.001 },
        ],
      }),
    },
    [/menuPrices\[1\]\.price: must have at most 2/, /menuPrices\[1\]\.menu: is in this list/],
  ],
  [
    'an unknown reference inside a field',
    item({ strategy: 'PRICE_LEVEL', priceGroup: 'Gold' }),
    [
      /pricing\.priceGroup: there is none among the priceGroups with the name or key "Gold"/,
      /pricing\.priceGroup: is missing/,
    ],
  ],
  [
    'archived sizes, price levels and taxes',
    {
      menuOptionGroups: [{ name: 'Size', archived: true }],
      priceGroups: [{ name: 'Gold', archived: true }],
      taxRates: [{ name: 'Old', type: 'NONE', archived: true }],
      menuItems: [
        { name: 'Ale', pricing: { strategy: 'SIZE_PRICE', sizeGroup: 'Size' }, taxRates: ['Old'] },
        { name: 'Tea', pricing: { strategy: 'PRICE_LEVEL', priceGroup: 'Gold' } },
      ],
    },
    [
      /menuItems\[0\]\.pricing\.sizeGroup: is archived/,
      /menuItems\[0\]\.taxRates\[0\]: is archived/,
      /menuItems\[1\]\.pricing\.priceGroup: is archived/,
    ],
  ],
  [
    'sizes of one name, or without a base price',
    {
      menuItems: [
        { name: 'Ale', pricing: { strategy: 'SIZE_PRICE', sizeGroup: 'Size' } },
        { key: 'small', name: 'Small', pricing: base(4) },
        { key: 'other', name: 'Small', pricing: base(5) },
        { name: 'Large', pricing: { strategy: 'OPEN_PRICE' } },
      ],
      menuOptionGroups: [{ name: 'Size', options: ['small', 'other', 'Large'] }],
    },
    [/sizeGroup: has two sizes named "Small"/, /sizeGroup: has the size "Large", whose pricing/],
  ],
  [
    'GROUP_PRICE in a menu group without pricing',
    { ...item({ strategy: 'GROUP_PRICE' }), menuGroups: [{ name: 'Beer', items: ['Ale'] }] },
    [/pricing\.strategy: is GROUP_PRICE, but the menu group "Beer" has no pricing/],
  ],
  [
    'a group price where none is used, and none where one is needed',
    {
      ...group({ groupPricing: { strategy: 'FIXED_PRICE', price: 1 } }),
      menuOptionGroups: [
        { name: 'One', groupPricing: { strategy: 'FIXED_PRICE', price: 1 } },
        { name: 'Two', pricingMode: 'GROUP' },
      ],
    },
    [
      /\[0\]\.groupPricing: must be null or absent when pricingMode is INDIVIDUAL/,
      /\[1\]\.groupPricing: is missing/,
    ],
  ],
  [
    'group prices that do not fit their strategy',
    byGroup({
      strategy: 'SIZE_PRICE',
      price: 1,
      sizePrices: [
        { sizeName: 'Small', prices: [1, 2] },
        { sizeName: 'Small', prices: [0.001] },
      ],
    }),
    [
      /groupPricing\.price: must be absent/,
      /sizePrices\[0\]\.prices: must be one price/,
      /sizePrices\[1\]\.sizeName: is in this list already/,
      /sizePrices\[1\]\.prices\[0\]: must have at most 2 decimals/,
    ],
  ],
  [
    'modifiers by size on an item without sizes, or with another size',
    {
      menuItems: [
        {
          name: 'Pizza',
          pricing: { strategy: 'SIZE_PRICE', sizeGroup: 'Size' },
          optionGroups: ['Toppings'],
        },
        { name: 'Salad', pricing: base(9), optionGroups: ['Toppings'] },
        { name: 'Small', pricing: base(10) },
        { name: 'Large', pricing: base(16) },
      ],
      menuOptionGroups: [
        { name: 'Size', options: ['Small', 'Large'] },
        {
          name: 'Toppings',
          pricingMode: 'GROUP',
          groupPricing: {
            strategy: 'SIZE_PRICE',
            sizePrices: [{ sizeName: 'Small', prices: [1] }],
          },
        },
      ],
      menuGroups: [{ name: 'Food', items: ['Pizza', 'Salad'] }],
    },
    [
      /menuItems\[0\]\.optionGroups: has "Toppings", which has no price for the size "Large"/,
      /menuItems\[1\]\.optionGroups: has "Toppings", which is priced by size, but the item has no/,
    ],
  ],
  [
    'one choice only, of several',
    group({
      isMultiSelect: false,
      maxSelections: 2,
      optionSettings: [{ item: 'Nuts', allowsDuplicates: true }],
    }),
    [
      /isMultiSelect: must be true when maxSelections is 2/,
      /optionSettings\[0\]\.allowsDuplicates: must be false/,
    ],
  ],
  [
    'a choice that is required and impossible',
    group({ requiredMode: 'REQUIRED', maxSelections: 0 }),
    [/maxSelections: must be at least 1, because a choice is required/],
  ],
  [
    'substitution where included options are charged',
    group({ defaultOptionsSubstitutionPricing: 'YES' }),
    [/defaultOptionsSubstitutionPricing: must be "NO" when defaultOptionsChargePrice is "YES"/],
  ],
  [
    'settings of what is no option, twice, and too many defaults',
    group({
      maxSelections: 1,
      optionSettings: [
        { item: 'Ice' },
        { item: 'Nuts', isDefault: true },
        { item: 'Nuts', price: 0.001 },
        { item: 'Jam', isDefault: true },
      ],
    }),
    [
      /optionSettings\[0\]\.item: is not one of the options/,
      /optionSettings\[2\]\.price: must have at most 2/,
      /optionSettings\[2\]\.item: is in this list already/,
      /optionSettings: has 2 default options, but at most 1 can be chosen/,
    ],
  ],
  [
    'default options of an item that do not fit',
    {
      menuItems: [
        {
          name: 'Pie',
          defaultOptions: [
            { optionGroup: 'Toppings', item: 'Nuts' },
            { optionGroup: 'Toppings', item: 'Ice' },
          ],
        },
        { name: 'Nuts' },
        { name: 'Ice' },
      ],
      menuOptionGroups: [{ name: 'Toppings', options: ['Nuts'], maxSelections: 1 }],
    },
    [
      /defaultOptions\[1\]\.item: is not one of the options of "Toppings"/,
      /defaultOptions: has 2 options of "Toppings", of which at most 1 can be chosen/,
    ],
  ],
  [
    'portions of another type, and factors where they do not belong',
    {
      menuItems: [
        { name: 'Pizza', portions: ['Half', 'Cola'] },
        { name: 'Half', type: 'PORTION', priceMultiplier: 0.333 },
        { name: 'Cola', priceMultiplier: 0.5 },
      ],
    },
    [
      /menuItems\[1\]\.priceMultiplier: must have at most 2 decimals/,
      /menuItems\[2\]\.priceMultiplier: must be null or absent unless type is "PORTION"/,
      /menuItems\[0\]\.portions\[1\]: "Cola" is not an item of the type PORTION/,
    ],
  ],
  [
    'prices that include a tax of a table, also by inheritance',
    {
      taxRates: [
        {
          name: 'Table',
          type: 'TABLE',
          taxTable: [{ start: 0, end: 1, tax: 0.1, pattern: false }],
        },
      ],
      menus: [{ name: 'Dinner', taxInclusion: 'TAX_INCLUDED', taxRates: ['Table'] }],
      menuGroups: [{ name: 'Food', menu: 'Dinner', items: ['Pie', 'Tea'] }],
      menuItems: [{ name: 'Pie' }, { name: 'Tea', taxRates: [] }],
    },
    [/menuItems\[0\]\.taxInclusion: must not be TAX_INCLUDED.* "Table" is a tax table/],
  ],
  [
    'channels that contradict the deprecated fields',
    item(null, { channels: ['POS'], visibility: 'ALL', orderableOnline: 'NO' }),
    [/menuItems\[0\]\.visibility: must be "POS_ONLY" for these channels, or absent/],
  ],
  [
    'ORD-31: a discount rule that contradicts itself',
    {
      discounts: [
        {
          name: 'Spring',
          type: 'OPEN_FIXED',
          selectionType: 'CHECK',
          rule: {
            minCheckAmount: 20,
            maxCheckAmount: 20,
            startDate: '2026-05-02',
            endDate: '2026-05-01',
            get: { amountType: 'PERCENT', value: 101 },
          },
        },
      ],
    },
    [
      /rule\.maxCheckAmount: must be more than minCheckAmount/,
      /rule\.endDate: must not be before startDate/,
      /rule\.get: must be null or absent unless the type of the discount is BOGO/,
      /rule\.get\.value: must be at most 100/,
    ],
  ],
]);

test('group document: prices below zero are for modifiers, and each currency has its digits', () => {
  assert.deepEqual(
    faultsOf(byGroup({ strategy: 'SEQUENCE_PRICE', sequencePrices: [0, -0.5] })),
    [],
  );
  assert.deepEqual(faultsOf(group({ optionSettings: [{ item: 'Nuts', price: -0.5 }] })), []);
  assert.equal(faultsOf(item(base(980)), 'JPY').length, 0);
  assert.match(faultsOf(item(base(980.5)), 'JPY').join(), /at most 0 decimals, as JPY has/);
  assert.equal(faultsOf(item(base(1.125)), 'KWD').length, 0);
});

test('group document: hours that only touch do not overlap', () => {
  const weekdays = ['MONDAY', 'TUESDAY'];
  const evening = hours('18:00', '23:59', weekdays);
  const night = hours('22:00', '00:00', ['WEDNESDAY']);
  const allDay = hours('00:00', '00:00', ['SUNDAY']);
  assert.deepEqual(faultsOf(happy(hours('16:00', '17:59', weekdays), evening, night, allDay)), []);
});
