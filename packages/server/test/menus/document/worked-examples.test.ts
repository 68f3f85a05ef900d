import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  groups,
  guidOf,
  items,
  like,
  menuOf,
  rates,
  resolved,
  type TestRestaurant,
} from './restaurant.ts';

const T1 = rates('T1');
const T2 = rates('T2');
const taxRates = {
  T1: { name: 'State', rate: 0.0625, isDefault: true },
  T2: { name: 'Spirits', rate: 0.04 },
};
const base = (price: number) => ({ pricing: { strategy: 'BASE_PRICE', price } });

/** Checks the fields that an example shows; it leaves out those that say nothing new. */
function assertShown(value: unknown, shown: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(like(value, shown))), shown);
}

/** GUIDs decide the order of pre-modifiers, so they are given here. */
const standard: TestRestaurant = {
  preModifierGroups: { Standard: { isDefault: true } },
  preModifiers: {
    'pre 0': {
      name: 'NO',
      parent: guidOf('preModifierGroups', 'Standard'),
      scalePrice: true,
      scaleFactor: 0,
    },
    'pre 1': {
      name: 'EXTRA',
      parent: guidOf('preModifierGroups', 'Standard'),
      scalePrice: true,
      scaleFactor: 1.5,
    },
  },
};

const burger: TestRestaurant = {
  ...menuOf(['Burger']),
  ...standard,
  taxRates,
  menuItems: {
    Burger: { ...base(11.5), optionGroups: groups('Temperature', 'Toppings') },
    Rare: {},
    Medium: {},
    Bacon: base(2.25),
    Cheddar: base(1.5),
    Avocado: { ...base(1.75), modifierTaxBehavior: 'UNIQUE', taxRates: T2 },
  },
  menuOptionGroups: {
    Temperature: { minSelections: 1, maxSelections: 1, options: items('Rare', 'Medium') },
    Toppings: {
      minSelections: 0,
      maxSelections: 4,
      defaultOptionsChargePrice: 'NO',
      options: items('Bacon', 'Cheddar', 'Avocado'),
      optionSettings: [
        { item: guidOf('menuItems', 'Cheddar'), isDefault: true },
        { item: guidOf('menuItems', 'Avocado'), price: 2 },
      ],
    },
  },
};

test('menus MENU-13 MENU-21 MENU-30: a burger with required and optional modifiers', () => {
  const { document, resolution, ...menus } = resolved(burger);
  assert.deepEqual(Object.keys(menus), []);
  assertShown(document.menus[0]?.menuGroups[0]?.menuItems, [
    {
      name: 'Burger',
      price: 11.5,
      pricingStrategy: 'BASE_PRICE',
      pricingRules: null,
      taxInfo: T1,
      taxInclusion: 'TAX_NOT_INCLUDED',
      modifierGroupReferences: [1, 5],
    },
  ]);
  assertShown(document.modifierGroupReferences, {
    1: {
      referenceId: 1,
      name: 'Temperature',
      pricingStrategy: 'NONE',
      pricingRules: null,
      minSelections: 1,
      maxSelections: 1,
      requiredMode: 'REQUIRED',
      isMultiSelect: false,
      preModifierGroupReference: 2,
      modifierOptionReferences: [3, 4],
    },
    5: {
      referenceId: 5,
      name: 'Toppings',
      minSelections: 0,
      maxSelections: 4,
      requiredMode: 'OPTIONAL',
      isMultiSelect: true,
      defaultOptionsChargePrice: 'NO',
      preModifierGroupReference: 2,
      modifierOptionReferences: [6, 7, 8],
    },
  });
  assertShown(document.modifierOptionReferences, {
    3: { name: 'Rare', price: 0, pricingStrategy: 'BASE_PRICE' },
    4: { name: 'Medium', price: 0 },
    6: { name: 'Bacon', price: 2.25, isDefault: false },
    7: { name: 'Cheddar', price: 1.5, isDefault: true },
    8: {
      name: 'Avocado',
      price: 2,
      pricingStrategy: 'BASE_PRICE',
      taxInfo: T1,
      modifierOptionTaxInfo: { taxRateGuids: T2, overrideItemTaxRates: false },
    },
  });
  assert.deepEqual(resolution.supplement, {
    noChargePrices: [],
    uniquelyTaxedItems: items('Avocado'),
  });
});

test('menus MENU-30: pre-modifiers have a factor or an amount', () => {
  const { document } = resolved({
    ...burger,
    preModifiers: {
      ...standard.preModifiers,
      'pre 2': { name: 'SIDE', parent: guidOf('preModifierGroups', 'Standard'), basePrice: 0.5 },
      'pre 3': {
        name: 'DOUBLE',
        parent: guidOf('preModifierGroups', 'Standard'),
        chargeAsExtra: true,
        posName: 'x2',
        plu: '77',
        displayMode: 'SUFFIX',
      },
    },
  });
  const [reference, group] = Object.entries(document.preModifierGroupReferences)[0] ?? [];
  assert.equal(reference, '2');
  assert.equal(group?.name, 'Standard');
  const shown = group?.preModifiers.map(({ name, ...one }) => [
    name,
    one.fixedPrice,
    one.multiplicationFactor,
    one.displayMode,
    one.chargeAsExtra,
    one.posName,
    one.plu,
  ]);
  assert.deepEqual(shown?.sort(), [
    ['DOUBLE', 0, null, 'SUFFIX', true, 'x2', '77'],
    ['EXTRA', null, 1.5, 'PREFIX', null, '', ''],
    ['NO', null, 0, 'PREFIX', null, '', ''],
    ['SIDE', 0.5, null, 'PREFIX', null, '', ''],
  ]);
});

const pizza: TestRestaurant = {
  ...menuOf(['Pizza']),
  menuItems: {
    Pizza: {
      pricing: { strategy: 'SIZE_PRICE', sizeGroup: guidOf('menuOptionGroups', 'Size') },
      optionGroups: groups('Toppings'),
      portions: items('1st Half', '2nd Half'),
    },
    Small: base(10),
    Medium: base(13),
    Large: base(16),
    '1st Half': { type: 'PORTION', priceMultiplier: 0.5 },
    '2nd Half': { type: 'PORTION', priceMultiplier: 0.5 },
    Mushrooms: {},
  },
  menuOptionGroups: {
    Size: { options: items('Small', 'Medium', 'Large') },
    Toppings: {
      options: items('Mushrooms'),
      pricingMode: 'GROUP',
      portionsEnabled: true,
      groupPricing: {
        strategy: 'SIZE_PRICE',
        sizePrices: [
          { sizeName: 'Small', prices: [1] },
          { sizeName: 'Medium', prices: [1.5] },
          { sizeName: 'Large', prices: [2] },
        ],
      },
    },
  },
};
const bySize = (group: string, rules: unknown[] = []) => ({
  timeSpecificPricingRules: [],
  sizeSpecificPricingGuid: guidOf('menuOptionGroups', group),
  sizeSequencePricingRules: rules,
});
const ruleOf = (sizeName: string, price: number, item = sizeName) => ({
  sizeName,
  sizeGuid: guidOf('menuItems', item),
  sequencePrices: [{ sequence: 1, price }],
});

test('menus MENU-15 MENU-26: a pizza with three sizes and toppings by the half', () => {
  const { document } = resolved(pizza);
  const half = { modifierGroupReferences: [5], priceScaleFactor: 0.5 };
  assertShown(document.menus[0]?.menuGroups[0]?.menuItems, [
    {
      name: 'Pizza',
      price: null,
      pricingStrategy: 'SIZE_PRICE',
      pricingRules: bySize('Size'),
      modifierGroupReferences: [1, 5],
      portions: [
        { name: '1st Half', guid: guidOf('menuItems', '1st Half'), ...half },
        { name: '2nd Half', guid: guidOf('menuItems', '2nd Half'), ...half },
      ],
    },
  ]);
  assertShown(document.modifierGroupReferences, {
    1: {
      name: 'Size',
      guid: guidOf('menuOptionGroups', 'Size'),
      pricingStrategy: 'NONE',
      minSelections: 1,
      maxSelections: 1,
      isMultiSelect: false,
      requiredMode: 'REQUIRED',
      modifierOptionReferences: [2, 3, 4],
    },
    5: {
      name: 'Toppings',
      pricingStrategy: 'SIZE_PRICE',
      pricingRules: bySize('Size', [ruleOf('Small', 1), ruleOf('Medium', 1.5), ruleOf('Large', 2)]),
    },
  });
  assertShown(document.modifierOptionReferences, {
    2: {
      name: 'Small',
      guid: guidOf('menuItems', 'Small'),
      price: 10,
      pricingStrategy: 'BASE_PRICE',
      portions: [],
    },
    3: { name: 'Medium', price: 13 },
    4: { name: 'Large', price: 16 },
    6: {
      name: 'Mushrooms',
      price: null,
      pricingStrategy: 'GROUP_PRICE',
      pricingRules: null,
      portions: document.menus[0]?.menuGroups[0]?.menuItems[0]?.portions,
    },
  });
});

test('menus MENU-20: a group has an instance for each size group of its items', () => {
  const { menuItems, menuOptionGroups } = pizza;
  const calzone = resolved({
    ...pizza,
    ...menuOf(['Pizza', 'Calzone']),
    menuItems: {
      ...menuItems,
      Calzone: {
        ...menuItems?.Pizza,
        pricing: { strategy: 'SIZE_PRICE', sizeGroup: guidOf('menuOptionGroups', 'Calzone size') },
      },
      Little: { ...base(7), name: 'Small' },
      Big: { ...base(9), name: 'Large' },
    },
    menuOptionGroups: {
      ...menuOptionGroups,
      'Calzone size': { options: items('Little', 'Big') },
    },
  });
  const one = calzone.group('Pizza', 'Toppings');
  const other = calzone.group('Calzone', 'Toppings');
  assert.equal(one.guid, other.guid);
  assert.notEqual(one.referenceId, other.referenceId);
  assert.deepEqual(
    other.pricingRules,
    bySize('Calzone size', [ruleOf('Small', 1, 'Little'), ruleOf('Large', 2, 'Big')]),
  );
  // The options are the same in both.
  assert.deepEqual(one.modifierOptionReferences, other.modifierOptionReferences);
});

test('menus MENU-14: the price of a happy hour', () => {
  const { document } = resolved({
    ...menuOf(['IPA']),
    menuItems: {
      IPA: {
        pricing: {
          strategy: 'TIME_SPECIFIC_PRICE',
          price: 8,
          timePrices: [
            {
              price: 5,
              days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
              start: '16:00',
              end: '17:59',
            },
          ],
        },
      },
    },
  });
  assertShown(document.menus[0]?.menuGroups[0]?.menuItems, [
    {
      name: 'IPA',
      price: 8,
      pricingStrategy: 'TIME_SPECIFIC_PRICE',
      pricingRules: {
        timeSpecificPricingRules: [
          {
            timeSpecificPrice: 5,
            basePrice: 8,
            schedule: [
              {
                days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
                timeRanges: [{ start: '16:00', end: '17:59' }],
              },
            ],
          },
        ],
        sizeSpecificPricingGuid: null,
        sizeSequencePricingRules: [],
      },
    },
  ]);
});

test('menus MENU-13: a modifier that is priced by sequence', () => {
  const menus = resolved({
    ...menuOf(['Frozen yogurt']),
    menuItems: {
      'Frozen yogurt': { ...base(5), optionGroups: groups('Toppings') },
      Sprinkles: {},
    },
    menuOptionGroups: {
      Toppings: {
        options: items('Sprinkles'),
        pricingMode: 'GROUP',
        groupPricing: { strategy: 'SEQUENCE_PRICE', sequencePrices: [0, 0.5, 0.75] },
      },
    },
  });
  assertShown(menus.group('Frozen yogurt', 'Toppings'), {
    name: 'Toppings',
    pricingStrategy: 'SEQUENCE_PRICE',
    pricingRules: {
      timeSpecificPricingRules: [],
      sizeSpecificPricingGuid: null,
      sizeSequencePricingRules: [
        {
          sizeName: null,
          sizeGuid: null,
          sequencePrices: [
            { sequence: 1, price: 0 },
            { sequence: 2, price: 0.5 },
            { sequence: 3, price: 0.75 },
          ],
        },
      ],
    },
  });
});
