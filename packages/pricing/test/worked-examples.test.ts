/** The worked examples of the orders interface, to the cent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buyOneGetOne,
  charge,
  discount,
  group,
  item,
  modify,
  option,
  percentTax,
  preModifier,
  rules,
  select,
  sequence,
  type TestRestaurant,
  taxedBy,
} from './menu.ts';
import { priceOne, totalsOf } from './price.ts';

const sales = (rate: number) => ({ taxRates: [percentTax('sales', rate)] });
const taxed = { taxInfo: ['sales'] };
const included = { ...taxed, taxInclusion: 'TAX_INCLUDED' } as const;

test('pricing E1 ORD-38: each line is taxed and rounded by itself, so the receipt adds up', () => {
  const items = [item('Burger', 12, taxed), item('Smoothie', 6.5, taxed)];
  const selections = [select('Burger'), select('Smoothie', { quantity: 2 })];
  const check = priceOne({ items, configuration: sales(0.0875) }, { selections });
  assert.deepEqual(
    check.selections.map(({ taxMinor }) => taxMinor),
    [105, 114],
  );
  assert.deepEqual(totalsOf(check), [2500, 219, 2719]);
});

test('pricing E2 ORD-32: a fixed item discount comes off a line once, whatever its quantity', () => {
  const configuration = {
    taxRates: [percentTax('state', 0.05), percentTax('city', 0.04)],
    discounts: [discount('1 off', { type: 'FIXED', amount: 1, selectionType: 'ITEM' })],
    serviceCharges: [charge('delivery fee', { amount: 3 })],
  };
  const items = [item('Sandwich', 8, { taxInfo: ['state', 'city'] })];
  const check = priceOne(
    { items, configuration },
    {
      selections: [
        select('Sandwich', { quantity: 2, appliedDiscounts: [{ discount: { guid: '1 off' } }] }),
      ],
      appliedServiceCharges: [{ serviceCharge: { guid: 'delivery fee' } }],
    },
    'delivery',
  );
  const [line] = check.selections;
  assert.equal(line?.preDiscountPriceMinor, 1600);
  assert.equal(line?.priceMinor, 1500);
  assert.deepEqual(
    line?.appliedTaxes.map(({ taxMinor }) => taxMinor),
    [75, 60],
  );
  assert.deepEqual(totalsOf(check), [1800, 135, 1935]);
});

const standard = [
  preModifier('NO', { multiplicationFactor: 0 }),
  preModifier('EXTRA', { multiplicationFactor: 1.5 }),
  preModifier('DOUBLE', { fixedPrice: 0, chargeAsExtra: true }),
];

test('pricing E3 ORD-37: a modifier taxed by itself is not taxed with its item as well', () => {
  const withT1 = taxedBy(['T1']);
  const restaurant: TestRestaurant = {
    items: [item('Burger', 11.5, { taxInfo: ['T1'], modifierGroupReferences: [1, 5] })],
    groups: {
      1: group('Temperature', [3, 4], { preModifierGroupReference: 2 }),
      5: group('Toppings', [6, 7, 8], {
        preModifierGroupReference: 2,
        defaultOptionsChargePrice: 'NO',
      }),
    },
    options: {
      3: option('Rare', 0, withT1),
      4: option('Medium', 0, withT1),
      6: option('Bacon', 2.25, withT1),
      7: option('Cheddar', 1.5, { ...withT1, isDefault: true }),
      8: option('Avocado', 2, taxedBy(['T2'])),
    },
    preModifiers: { 2: standard },
    configuration: { taxRates: [percentTax('T1', 0.0625), percentTax('T2', 0.04)] },
  };
  const modifiers = [
    modify('Temperature', 'Medium', { quantity: 2 }),
    modify('Toppings', 'Bacon', { quantity: 2, preModifier: { guid: 'EXTRA' } }),
    modify('Toppings', 'Cheddar', { quantity: 2 }),
    modify('Toppings', 'Avocado', { quantity: 2 }),
  ];
  const check = priceOne(restaurant, {
    selections: [select('Burger', { quantity: 2, modifiers })],
  });
  const [burger] = check.selections;
  assert.deepEqual(
    burger?.modifiers.map((one) => one.receiptLinePriceMinor),
    [0, 338, 0, 200],
  );
  assert.equal(burger?.priceMinor, 3376);
  assert.deepEqual(
    burger?.appliedTaxes.map(({ taxRate, taxMinor }) => [taxRate, taxMinor]),
    [
      ['T1', 186],
      ['T2', 16],
    ],
  );
  assert.deepEqual(totalsOf(check), [3376, 202, 3578]);
});

test('pricing E4 ORD-28 ORD-29: an extra topping on half a pizza costs half of two', () => {
  const sizes = rules({ sizeSpecificPricingGuid: 'Size' });
  const inherits = taxedBy(['sales']);
  const byGroup = { ...inherits, pricingStrategy: 'GROUP_PRICE' } as const;
  const half = { modifierGroupReferences: [5], priceScaleFactor: 0.5 };
  const restaurant: TestRestaurant = {
    items: [
      item('Pizza', null, {
        ...taxed,
        pricingStrategy: 'SIZE_PRICE',
        pricingRules: sizes,
        modifierGroupReferences: [1, 5],
        portions: [
          { guid: '1st Half', ...half },
          { guid: '2nd Half', ...half },
        ],
      }),
    ],
    groups: {
      1: group('Size', [2, 3, 4]),
      5: group('Toppings', [6, 7, 8], {
        pricingStrategy: 'SIZE_PRICE',
        preModifierGroupReference: 9,
        pricingRules: {
          ...sizes,
          sizeSequencePricingRules: [
            sequence('Small', [1]),
            sequence('Medium', [1.5]),
            sequence('Large', [2]),
          ],
        },
      }),
    },
    options: {
      2: option('Small', 10, inherits),
      3: option('Medium', 13, inherits),
      4: option('Large', 16, inherits),
      6: option('Mushrooms', null, byGroup),
      7: option('Pepperoni', null, byGroup),
      8: option('Ham', null, byGroup),
    },
    preModifiers: { 9: standard },
    configuration: sales(0.07),
  };
  const portion = (guid: string, ...modifiers: ReturnType<typeof modify>[]) => ({
    selectionType: 'PORTION' as const,
    item: { guid },
    modifiers,
  });
  const modifiers = [
    modify('Size', 'Large'),
    modify('Toppings', 'Mushrooms'),
    portion('1st Half', modify('Toppings', 'Pepperoni')),
    portion('2nd Half', modify('Toppings', 'Ham', { preModifier: { guid: 'DOUBLE' } })),
  ];
  const check = priceOne(restaurant, { selections: [select('Pizza', { modifiers })] });
  const [pizza] = check.selections;
  assert.equal(pizza?.receiptLinePriceMinor, 1600);
  assert.deepEqual(
    pizza?.modifiers.map(({ priceMinor }) => priceMinor),
    [0, 200, 100, 200],
  );
  assert.deepEqual(totalsOf(check), [2100, 147, 2247]);
});

test('pricing E5 ORD-27: the last price of a sequence holds for every further topping', () => {
  const inherits = { ...taxedBy(['sales']), pricingStrategy: 'GROUP_PRICE' } as const;
  const restaurant: TestRestaurant = {
    items: [item('Frozen yogurt', 5, { ...taxed, modifierGroupReferences: [1] })],
    groups: {
      1: group('Toppings', [2], {
        pricingStrategy: 'SEQUENCE_PRICE',
        pricingRules: rules({ sizeSequencePricingRules: [sequence(null, [0, 0.5, 0.75])] }),
      }),
    },
    options: { 2: option('Nuts', null, inherits) },
    configuration: {
      taxRates: [percentTax('sales', 0.08875, { roundingType: 'HALF_EVEN' })],
    },
  };
  const modifiers = Array.from({ length: 4 }, () => modify('Toppings', 'Nuts'));
  const check = priceOne(restaurant, { selections: [select('Frozen yogurt', { modifiers })] });
  assert.deepEqual(
    check.selections[0]?.modifiers.map(({ priceMinor }) => priceMinor),
    [0, 50, 75, 75],
  );
  assert.deepEqual(totalsOf(check), [700, 62, 762]);
});

test('pricing E6 ORD-26: happy hour lasts until the end of its last minute', () => {
  const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];
  const schedule = [{ days, timeRanges: [{ start: '16:00', end: '17:59' }] }];
  const ipa = item('IPA', 8, {
    ...taxed,
    pricingStrategy: 'TIME_SPECIFIC_PRICE',
    pricingRules: rules({ timeSpecificPricingRules: [{ timeSpecificPrice: 5, schedule }] }),
  });
  const at = (time: string) => {
    const now = `2026-03-04T${time}-05:00`;
    const restaurant = { items: [ipa], configuration: sales(0.09), now };
    return totalsOf(priceOne(restaurant, { selections: [select('IPA')] }));
  };
  assert.deepEqual(at('15:59:59.999'), [800, 72, 872]);
  assert.deepEqual(at('16:00:00.000'), [500, 45, 545]);
  assert.deepEqual(at('17:59:30.000'), [500, 45, 545]);
  assert.deepEqual(at('18:00:00.000'), [800, 72, 872]);
});

for (const [id, calculation, chargeMinor, totals] of [
  ['E7', 'POST_DISCOUNT', 330, [3080, 246, 3326]],
  ['E8', 'PRE_DISCOUNT', 420, [3170, 254, 3424]],
] as const) {
  test(`pricing ${id} ORD-34 ORD-36: amounts come off before percents; charges are ${calculation}`, () => {
    const configuration = {
      ...sales(0.08),
      discounts: [
        discount('10 percent', { percentage: 10 }),
        discount('5 off', { type: 'FIXED', amount: 5 }),
      ],
      serviceCharges: [
        charge('service', {
          amountType: 'PERCENT',
          percent: 12,
          taxable: true,
          applicableTaxes: [{ guid: 'sales' }],
          serviceChargeCalculation: calculation,
        }),
      ],
    };
    const items = [
      item('A', 20, taxed),
      item('B', 10.01, taxed),
      item('C', 4.99, { ...taxed, isDiscountable: false }),
    ];
    const check = priceOne(
      { items, configuration },
      {
        selections: [select('A'), select('B'), select('C')],
        appliedDiscounts: [{ discount: { guid: '10 percent' } }, { discount: { guid: '5 off' } }],
        appliedServiceCharges: [{ serviceCharge: { guid: 'service' } }],
      },
    );
    assert.deepEqual(
      check.appliedDiscounts.map((one) => [one.discount, one.discountMinor]),
      [
        ['5 off', 500],
        ['10 percent', 250],
      ],
    );
    assert.deepEqual(
      check.selections.map(({ priceMinor }) => priceMinor),
      [1500, 751, 499],
    );
    assert.deepEqual(
      check.selections.map(({ taxMinor }) => taxMinor),
      [120, 60, 40],
    );
    assert.equal(check.appliedServiceCharges[0]?.chargeMinor, chargeMinor);
    assert.deepEqual(totalsOf(check), totals);
  });
}

test('pricing E9 ORD-39: an included tax is taken out of the price, not added to it', () => {
  const restaurant = { items: [item('Soup', 10, included)], configuration: sales(0.07) };
  assert.deepEqual(
    totalsOf(priceOne(restaurant, { selections: [select('Soup')] })),
    [935, 65, 1000],
  );
});

test('pricing E10 ORD-39: a discount shows what it takes off with and without included tax', () => {
  const configuration = {
    ...sales(0.07),
    discounts: [discount('10 percent', { percentage: 10, selectionType: 'ITEM' })],
  };
  const appliedDiscounts = [{ discount: { guid: '10 percent' } }];
  const check = priceOne(
    { items: [item('Soup', 10, included)], configuration },
    { selections: [select('Soup', { appliedDiscounts })] },
  );
  const [soup] = check.selections;
  assert.equal(soup?.preDiscountPriceMinor, 935);
  assert.equal(soup?.appliedDiscounts[0]?.discountMinor, 100);
  assert.equal(soup?.appliedDiscounts[0]?.nonTaxDiscountMinor, 94);
  assert.deepEqual(totalsOf(check), [841, 59, 900]);
});

test('pricing E11 ORD-39: two included taxes are taken out of the same net price', () => {
  const check = priceOne(
    {
      items: [item('Soup', 12, { ...included, taxInfo: ['state', 'city'] })],
      configuration: { taxRates: [percentTax('state', 0.05), percentTax('city', 0.02)] },
    },
    { selections: [select('Soup')] },
  );
  assert.deepEqual(
    check.selections[0]?.appliedTaxes.map(({ taxMinor }) => taxMinor),
    [56, 22],
  );
  assert.deepEqual(totalsOf(check), [1122, 78, 1200]);
});

const row = (start: number, end: number, tax: number, pattern = true) => ({
  start,
  end,
  tax,
  pattern,
});
const table = percentTax('table', 0, {
  type: 'TABLE',
  rate: null,
  roundingType: null,
  taxTable: [
    row(0, 0.1, 0, false),
    row(0.11, 0.17, 0.01),
    row(0.18, 0.34, 0.02),
    row(0.35, 0.5, 0.03),
    row(0.51, 0.67, 0.04),
    row(0.68, 0.84, 0.05),
    row(0.85, 1.1, 0.06),
  ],
});

test('pricing E12 ORD-40: a tax table is looked up once for the check and goes on above its end', () => {
  const restaurant = (...prices: number[]) => ({
    items: prices.map((price, index) => item(`${index}`, price, { taxInfo: ['table'] })),
    configuration: { taxRates: [table] },
  });
  const check = priceOne(restaurant(2.5, 1.62), { selections: [select('0'), select('1')] });
  assert.deepEqual(
    check.selections.map(({ taxMinor }) => taxMinor),
    [15, 10],
  );
  assert.deepEqual(totalsOf(check), [412, 25, 437]);
  for (const [price, tax] of [
    [9.36, 57],
    [1.1, 6],
    [1.11, 7],
    [1.17, 7],
    [1.18, 8],
  ] as const) {
    const { taxMinor } = priceOne(restaurant(price), { selections: [select('0')] });
    assert.equal(taxMinor, tax, `the tax on ${price}`);
  }
});

test('pricing E13 ORD-33: the free one of three is split off, so that two stay at full price', () => {
  const configuration = { ...sales(0.0625), discounts: [buyOneGetOne] };
  const check = priceOne(
    { items: [item('Soup', 8.99, taxed)], configuration },
    {
      selections: [select('Soup', { quantity: 3 })],
      appliedDiscounts: [{ discount: { guid: 'buy one, get one' } }],
    },
  );
  assert.deepEqual(
    check.selections.map(({ isSplit, quantity, preDiscountPriceMinor, priceMinor, taxMinor }) => ({
      isSplit,
      quantity,
      preDiscountPriceMinor,
      priceMinor,
      taxMinor,
    })),
    [
      { isSplit: false, quantity: 2, preDiscountPriceMinor: 1798, priceMinor: 1798, taxMinor: 112 },
      { isSplit: true, quantity: 1, preDiscountPriceMinor: 899, priceMinor: 0, taxMinor: 0 },
    ],
  );
  const [bogo] = check.selections[1]?.appliedDiscounts ?? [];
  assert.equal(bogo?.discountMinor, 899);
  assert.deepEqual(bogo?.triggers, [{ selection: 0, quantity: 1 }]);
  assert.deepEqual(check.appliedDiscounts, []);
  assert.deepEqual(totalsOf(check), [1798, 112, 1910]);
});

test('pricing E14 ORD-41: a gratuity is in no total, because it is owed as tip', () => {
  const gratuity = charge('gratuity', {
    amountType: 'PERCENT',
    percent: 18,
    gratuity: true,
    serviceChargeCalculation: 'PRE_DISCOUNT',
  });
  const check = priceOne(
    {
      items: [item('Dinner', 100, taxed)],
      configuration: { ...sales(0.05), serviceCharges: [gratuity] },
    },
    {
      selections: [select('Dinner')],
      appliedServiceCharges: [{ serviceCharge: { guid: 'gratuity' } }],
    },
  );
  assert.equal(check.appliedServiceCharges[0]?.chargeMinor, 1800);
  assert.equal(check.gratuityMinor, 1800);
  assert.deepEqual(totalsOf(check), [10000, 500, 10500]);
});

test('pricing E15 ORD-37: the rate for take-out holds for take-out, and not for curbside', () => {
  const conditionalTaxRates = [{ condition: 'TAKE_OUT', rate: 0.02 }];
  const restaurant = {
    items: [item('Soup', 10, taxed)],
    configuration: { taxRates: [percentTax('sales', 0.08, { conditionalTaxRates })] },
  };
  const totals = (diningOption: string) =>
    totalsOf(priceOne(restaurant, { selections: [select('Soup')] }, diningOption));
  assert.deepEqual(totals('dine-in'), [1000, 80, 1080]);
  assert.deepEqual(totals('curbside'), [1000, 80, 1080]);
  assert.deepEqual(totals('take-out'), [1000, 20, 1020]);
});

test('pricing E16 ORD-38: a fixed tax stays when a discount takes the whole price', () => {
  const configuration = {
    taxRates: [percentTax('deposit', 0.05, { type: 'FIXED', roundingType: null })],
    discounts: [discount('all', { percentage: 100, selectionType: 'ITEM' })],
  };
  const check = priceOne(
    { items: [item('Bottle', 1, { taxInfo: ['deposit'] })], configuration },
    {
      selections: [
        select('Bottle', { quantity: 6, appliedDiscounts: [{ discount: { guid: 'all' } }] }),
      ],
    },
  );
  assert.deepEqual(totalsOf(check), [0, 30, 30]);
});

test('pricing E17 ORD-27: a default that was left out pays for its substitutes in order', () => {
  const order = (defaultPrice: number, ...chosen: number[]) => {
    const restaurant: TestRestaurant = {
      items: [item('Salad', 10, { modifierGroupReferences: [1] })],
      groups: {
        1: group('Protein', [2, 3, 4], {
          defaultOptionsChargePrice: 'NO',
          defaultOptionsSubstitutionPricing: 'YES',
        }),
      },
      options: {
        2: option('Default', defaultPrice, { isDefault: true }),
        3: option('0', chosen[0] ?? 0),
        4: option('1', chosen[1] ?? 0),
      },
    };
    const modifiers = chosen.map((_price, index) => modify('Protein', `${index}`));
    return priceOne(restaurant, { selections: [select('Salad', { modifiers })] });
  };
  assert.deepEqual(totalsOf(order(7, 9)), [1200, 0, 1200]);
  const two = order(10, 8, 7);
  assert.deepEqual(
    two.selections[0]?.modifiers.map(({ priceMinor }) => priceMinor),
    [0, 500],
  );
  assert.deepEqual(totalsOf(two), [1500, 0, 1500]);
});

test('pricing E18 ORD-30: a price by weight is rounded once, half up', () => {
  const items = [item('Cheese', 18.99, { unitOfMeasure: 'LB' })];
  const check = priceOne({ items }, { selections: [select('Cheese', { quantity: 0.3725 })] });
  assert.deepEqual(totalsOf(check), [707, 0, 707]);
});

for (const [price, rate, ...taxes] of [
  [1.2, 0.0875, 11, 10, 11, 10],
  [3.6, 0.0625, 23, 22, 23, 22],
  [3.6, 0.0875, 32, 32, 32, 31],
  [4.4, 0.0625, 28, 28, 28, 27],
  [50.75, 0.0625, 317, 317, 318, 317],
] as const) {
  test(`pricing E19 ORD-38: ${price} at ${rate} is rounded by the rounding of the rate`, () => {
    const roundings = ['HALF_UP', 'HALF_EVEN', 'ALWAYS_UP', 'ALWAYS_DOWN'] as const;
    const actual = roundings.map((roundingType) => {
      const configuration = { taxRates: [percentTax('sales', rate, { roundingType })] };
      const restaurant = { items: [item('Soup', price, taxed)], configuration };
      return priceOne(restaurant, { selections: [select('Soup')] }).taxMinor;
    });
    assert.deepEqual(actual, taxes);
  });
}

test('pricing E20 ORD-38: by check, a rate is rounded once and shared to the selections', () => {
  const taxes = (percentTaxBasis: 'selection' | 'check') => {
    const check = priceOne(
      {
        items: [item('Roll', 1.2, taxed)],
        configuration: sales(0.0875),
        settings: { percentTaxBasis },
      },
      { selections: [select('Roll'), select('Roll'), select('Roll')] },
    );
    return check.selections.map(({ taxMinor }) => taxMinor);
  };
  assert.deepEqual(taxes('check'), [11, 11, 10]);
  assert.deepEqual(taxes('selection'), [11, 11, 11]);
});

test('pricing E21: two soups for take-out cost what the guest is asked to pay', () => {
  const restaurant = { items: [item('Soup', 8, taxed)], configuration: sales(0.1) };
  const check = { selections: [select('Soup', { quantity: 2 })] };
  assert.deepEqual(totalsOf(priceOne(restaurant, check, 'take-out')), [1600, 160, 1760]);
});
