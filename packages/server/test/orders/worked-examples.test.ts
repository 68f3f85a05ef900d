import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Order } from '@servery/contract';
import { openPaymentFixture, type PaymentFixture } from '../payments/fixture.ts';
import { guest, openOrderFixture, orderOf, totalsOf } from './fixture.ts';
import {
  group,
  guidOf,
  item,
  modify,
  option,
  preModifier,
  rules,
  select,
  sequence,
  type TestMenu,
  taxedBy,
} from './menu.ts';

let payments: PaymentFixture;
before(async () => {
  payments = await openPaymentFixture();
});
after(() => payments.close());

const percent = (rate: number, fields: Fields = {}) => ({
  type: 'PERCENT',
  rate,
  roundingType: 'HALF_UP',
  ...fields,
});

const discount = (fields: Fields) => ({ active: true, nonExclusive: true, ...fields });

const applied = (name: string) => ({ discount: { guid: guidOf(name) } });
const charged = (name: string) => ({ serviceCharge: { guid: guidOf(name) } });

type Fields = Readonly<Record<string, unknown>>;

interface Example {
  readonly title: string;
  readonly menu: TestMenu;
  readonly configuration?: Readonly<Record<string, Readonly<Record<string, Fields>>>>;
  readonly order: unknown;
  /** amount, taxAmount and totalAmount. */
  readonly totals: readonly [number, number, number];
  /** Prices of the top-level selections, if they tell more. */
  readonly prices?: readonly number[];
}

const burger: TestMenu = {
  items: [item('Burger', 11.5, { taxInfo: ['T1'], modifierGroupReferences: [1, 5] })],
  groups: {
    1: group('Temperature', [3, 4], {
      minSelections: 1,
      maxSelections: 1,
      requiredMode: 'REQUIRED',
      isMultiSelect: false,
    }),
    5: group('Toppings', [6, 7, 8], {
      maxSelections: 4,
      defaultOptionsChargePrice: 'NO',
      preModifierGroupReference: 2,
    }),
  },
  options: {
    3: option('Rare', 0, taxedBy(['T1'])),
    4: option('Medium', 0, taxedBy(['T1'])),
    6: option('Bacon', 2.25, taxedBy(['T1'])),
    7: option('Cheddar', 1.5, { ...taxedBy(['T1']), isDefault: true }),
    8: option('Avocado', 2, taxedBy(['T2'])),
  },
  preModifiers: {
    2: [
      preModifier('NO', { multiplicationFactor: 0 }),
      preModifier('EXTRA', { multiplicationFactor: 1.5 }),
    ],
  },
};

const sizes = ['Small', 'Medium', 'Large'];
const pizza: TestMenu = {
  items: [
    item('Pizza', null, {
      taxInfo: ['T1'],
      pricingStrategy: 'SIZE_PRICE',
      pricingRules: rules({ sizeSpecificPricingGuid: guidOf('Size') }),
      modifierGroupReferences: [1, 5],
      portions: ['1st Half', '2nd Half'].map((name) => ({
        name,
        guid: guidOf(name),
        modifierGroupReferences: [5],
        priceScaleFactor: 0.5,
      })),
    }),
  ],
  groups: {
    1: group('Size', [2, 3, 4], {
      minSelections: 1,
      maxSelections: 1,
      requiredMode: 'REQUIRED',
      isMultiSelect: false,
    }),
    5: group('Toppings', [6, 7, 8], {
      preModifierGroupReference: 9,
      pricingStrategy: 'SIZE_PRICE',
      pricingRules: rules({
        sizeSpecificPricingGuid: guidOf('Size'),
        sizeSequencePricingRules: sizes.map((size, index) =>
          sequence(size, [[1], [1.5], [2]][index] ?? []),
        ),
      }),
    }),
  },
  options: {
    ...Object.fromEntries(
      sizes.map((size, at) => [at + 2, option(size, 10 + 3 * at, taxedBy(['T1']))]),
    ),
    ...Object.fromEntries(
      ['Mushrooms', 'Pepperoni', 'Ham'].map((name, at) => [
        at + 6,
        option(name, null, { ...taxedBy(['T1']), pricingStrategy: 'GROUP_PRICE' }),
      ]),
    ),
  },
  preModifiers: { 9: [preModifier('DOUBLE', { chargeAsExtra: true })] },
};

const portion = (name: string, modifiers: readonly unknown[]) => ({
  selectionType: 'PORTION',
  item: { guid: guidOf(name) },
  modifiers,
});

const delivery = {
  diningOption: { guid: guidOf('delivery') },
  deliveryInfo: { address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' },
};

const threeItems: TestMenu = {
  items: [
    item('A', 20, { taxInfo: ['T1'] }),
    item('B', 10.01, { taxInfo: ['T1'] }),
    item('C', 4.99, { taxInfo: ['T1'], isDiscountable: false }),
  ],
};

const discountedAndCharged = (serviceChargeCalculation: string) => ({
  taxRates: { T1: percent(0.08) },
  discounts: {
    tenth: discount({ type: 'PERCENT', percentage: 10, selectionType: 'CHECK' }),
    five: discount({ type: 'FIXED', amount: 5, selectionType: 'CHECK' }),
  },
  serviceCharges: {
    service: {
      amountType: 'PERCENT',
      percent: 12,
      taxable: true,
      applicableTaxes: [guidOf('T1')],
      serviceChargeCalculation,
      criteria: {},
    },
  },
});

const discountedOrder = orderOf([select('A'), select('B'), select('C')], {
  appliedDiscounts: [applied('tenth'), applied('five')],
  appliedServiceCharges: [charged('service')],
});

const untaxed = taxedBy([]);
const protein = (options: Parameters<typeof group>[1]) =>
  group('Protein', options, {
    defaultOptionsChargePrice: 'NO',
    defaultOptionsSubstitutionPricing: 'YES',
  });

const salad = (options: Readonly<Record<string, number>>): TestMenu => ({
  items: [item('Salad', 10, { modifierGroupReferences: [1] })],
  groups: { 1: protein(Object.keys(options).map((_, at) => at + 2)) },
  options: Object.fromEntries(
    Object.entries(options).map(([name, price], at) => [
      at + 2,
      option(name, price, { ...untaxed, isDefault: at === 0 }),
    ]),
  ),
});

const examples: readonly Example[] = [
  {
    title: 'E1 ORD-26 ORD-38 ORD-41',
    menu: {
      items: [item('Burger', 12, { taxInfo: ['T1'] }), item('Smoothie', 6.5, { taxInfo: ['T1'] })],
    },
    configuration: { taxRates: { T1: percent(0.0875) } },
    order: orderOf([select('Burger'), select('Smoothie', { quantity: 2 })]),
    totals: [25, 2.19, 27.19],
  },
  {
    title: 'E2 ORD-32 ORD-36',
    menu: { items: [item('Sandwich', 8, { taxInfo: ['five', 'four'] })] },
    configuration: {
      taxRates: { five: percent(0.05), four: percent(0.04) },
      discounts: { off: discount({ type: 'FIXED', amount: 1, selectionType: 'ITEM' }) },
      serviceCharges: { drive: { amountType: 'FIXED', amount: 3, criteria: {} } },
    },
    order: orderOf(
      [select('Sandwich', { quantity: 2, appliedDiscounts: [applied('off')] })],
      { appliedServiceCharges: [charged('drive')], customer: guest },
      delivery,
    ),
    totals: [18, 1.35, 19.35],
    prices: [15],
  },
  {
    title: 'E3 ORD-27 ORD-28 ORD-30 ORD-37',
    menu: burger,
    configuration: { taxRates: { T1: percent(0.0625), T2: percent(0.04) } },
    order: orderOf([
      select('Burger', {
        quantity: 2,
        modifiers: [
          modify('Temperature', 'Medium'),
          modify('Toppings', 'Bacon', { preModifier: { guid: guidOf('EXTRA') } }),
          modify('Toppings', 'Cheddar'),
          modify('Toppings', 'Avocado'),
        ],
      }),
    ]),
    totals: [33.76, 2.02, 35.78],
  },
  {
    title: 'E4 ORD-29',
    menu: pizza,
    configuration: { taxRates: { T1: percent(0.07) } },
    order: orderOf([
      select('Pizza', {
        modifiers: [
          modify('Size', 'Large'),
          modify('Toppings', 'Mushrooms'),
          portion('1st Half', [modify('Toppings', 'Pepperoni')]),
          portion('2nd Half', [
            modify('Toppings', 'Ham', { preModifier: { guid: guidOf('DOUBLE') } }),
          ]),
        ],
      }),
    ]),
    totals: [21, 1.47, 22.47],
  },
  {
    title: 'E7 ORD-34 ORD-36',
    menu: threeItems,
    configuration: discountedAndCharged('POST_DISCOUNT'),
    order: discountedOrder,
    totals: [30.8, 2.46, 33.26],
    prices: [15, 7.51, 4.99],
  },
  {
    title: 'E8 ORD-36',
    menu: threeItems,
    configuration: discountedAndCharged('PRE_DISCOUNT'),
    order: discountedOrder,
    totals: [31.7, 2.54, 34.24],
    prices: [15, 7.51, 4.99],
  },
  {
    title: 'E9 ORD-39',
    menu: { items: [item('Pie', 10, { taxInfo: ['T1'], taxInclusion: 'TAX_INCLUDED' })] },
    configuration: { taxRates: { T1: percent(0.07) } },
    order: orderOf([select('Pie')]),
    totals: [9.35, 0.65, 10],
  },
  {
    title: 'E10 ORD-32 ORD-39',
    menu: { items: [item('Pie', 10, { taxInfo: ['T1'], taxInclusion: 'TAX_INCLUDED' })] },
    configuration: {
      taxRates: { T1: percent(0.07) },
      discounts: { tenth: discount({ type: 'PERCENT', percentage: 10, selectionType: 'ITEM' }) },
    },
    order: orderOf([select('Pie', { appliedDiscounts: [applied('tenth')] })]),
    totals: [8.41, 0.59, 9],
    prices: [8.41],
  },
  {
    title: 'E11 ORD-39',
    menu: {
      items: [item('Tart', 12, { taxInfo: ['five', 'two'], taxInclusion: 'TAX_INCLUDED' })],
    },
    configuration: { taxRates: { five: percent(0.05), two: percent(0.02) } },
    order: orderOf([select('Tart')]),
    totals: [11.22, 0.78, 12],
  },
  {
    title: 'E12 ORD-40',
    menu: { items: [item('X', 2.5, { taxInfo: ['T1'] }), item('Y', 1.62, { taxInfo: ['T1'] })] },
    configuration: {
      taxRates: {
        T1: {
          type: 'TABLE',
          rate: null,
          taxTable: [
            [0, 0.1, 0, false],
            [0.11, 0.17, 0.01, true],
            [0.18, 0.34, 0.02, true],
            [0.35, 0.5, 0.03, true],
            [0.51, 0.67, 0.04, true],
            [0.68, 0.84, 0.05, true],
            [0.85, 1.1, 0.06, true],
          ].map(([start, end, tax, pattern]) => ({ start, end, tax, pattern })),
        },
      },
    },
    order: orderOf([select('X'), select('Y')]),
    totals: [4.12, 0.25, 4.37],
  },
  {
    title: 'E13 ORD-33',
    menu: { items: [item('Soup', 8.99, { taxInfo: ['T1'] })] },
    configuration: {
      taxRates: { T1: percent(0.0625) },
      discounts: {
        bogo: discount({
          type: 'BOGO',
          selectionType: 'BOGO',
          rule: {
            buy: { items: [], groups: [], quantity: 1 },
            get: { items: [], groups: [], quantity: 1, amountType: 'PERCENT', value: 100 },
          },
        }),
      },
    },
    order: orderOf([select('Soup', { quantity: 3 })], { appliedDiscounts: [applied('bogo')] }),
    totals: [17.98, 1.12, 19.1],
    prices: [17.98, 0],
  },
  {
    title: 'E15 ORD-37',
    menu: { items: [item('Bread', 10, { taxInfo: ['T1'] })] },
    configuration: {
      taxRates: {
        T1: percent(0.08, { conditionalTaxRates: [{ condition: 'TAKE_OUT', rate: 0.02 }] }),
      },
    },
    order: orderOf(
      [select('Bread')],
      { customer: guest },
      { diningOption: { guid: guidOf('take-out') } },
    ),
    totals: [10, 0.2, 10.2],
  },
  {
    title: 'E14 ORD-41',
    menu: { items: [item('Banquet', 100, { taxInfo: ['T1'] })] },
    configuration: {
      taxRates: { T1: percent(0.05) },
      serviceCharges: {
        gratuity: {
          amountType: 'PERCENT',
          percent: 18,
          gratuity: true,
          serviceChargeCalculation: 'PRE_DISCOUNT',
          criteria: {},
        },
      },
    },
    order: orderOf([select('Banquet')], { appliedServiceCharges: [charged('gratuity')] }),
    totals: [100, 5, 105],
  },
  {
    title: 'E16 ORD-38',
    menu: { items: [item('Bottle', 1, { taxInfo: ['deposit'] })] },
    configuration: {
      taxRates: { deposit: { type: 'FIXED', rate: 0.05 } },
      discounts: { free: discount({ type: 'PERCENT', percentage: 100, selectionType: 'ITEM' }) },
    },
    order: orderOf([select('Bottle', { quantity: 6, appliedDiscounts: [applied('free')] })]),
    totals: [0, 0.3, 0.3],
    prices: [0],
  },
  {
    title: 'E17 ORD-27, another option',
    menu: salad({ Chicken: 7, Salmon: 9 }),
    order: orderOf([select('Salad', { modifiers: [modify('Protein', 'Salmon')] })]),
    totals: [12, 0, 12],
  },
  {
    title: 'E17 ORD-27, two other options',
    menu: salad({ Lobster: 10, Shrimp: 8, Tofu: 7 }),
    order: orderOf([
      select('Salad', { modifiers: [modify('Protein', 'Shrimp'), modify('Protein', 'Tofu')] }),
    ]),
    totals: [15, 0, 15],
  },
  {
    title: 'E18 ORD-17',
    menu: { items: [item('Cheese', 18.99, { unitOfMeasure: 'LB' })] },
    order: orderOf([select('Cheese', { quantity: 0.3725 })]),
    totals: [7.07, 0, 7.07],
  },
];

test('orders.price orders.place ORD-25 ORD-43: the worked examples, to the cent', async () => {
  for (const { title, menu, configuration, order, totals, prices } of examples) {
    const fixture = await openOrderFixture({
      payments,
      menu,
      ...(configuration && { configuration }),
    });
    const priced = await fixture.price(order);
    assert.equal(priced.status, 200, `${title}: ${JSON.stringify(priced.body)}`);
    assert.deepEqual(totalsOf(priced.body), totals, title);
    if (prices) assert.deepEqual(pricesOf(priced.body), prices, title);
    // An answer that is sent back costs the same (ORD-4), and so does the order when it is placed.
    const echoed = await fixture.price(priced.body);
    assert.equal(echoed.status, 200, `${title}: ${JSON.stringify(echoed.body)}`);
    assert.deepEqual(totalsOf(echoed.body), totals, `${title}, sent back`);
    const placed = await fixture.place(priced.body);
    assert.equal(placed.status, 200, `${title}: ${JSON.stringify(placed.body)}`);
    assert.deepEqual(totalsOf(placed.body), totals, `${title}, placed`);
    const read = await fixture.get(placed.body.guid);
    assert.deepEqual(read.body, placed.body, `${title}, read`);
  }
});

const pricesOf = (order: Order) => order.checks[0]?.selections.map(({ price }) => price);

const roundings = ['HALF_UP', 'HALF_EVEN', 'ALWAYS_UP', 'ALWAYS_DOWN'] as const;
const roundedTaxes: readonly (readonly [price: number, rate: number, taxes: readonly number[]])[] =
  [
    [1.2, 0.0875, [0.11, 0.1, 0.11, 0.1]],
    [3.6, 0.0625, [0.23, 0.22, 0.23, 0.22]],
    [3.6, 0.0875, [0.32, 0.32, 0.32, 0.31]],
    [4.4, 0.0625, [0.28, 0.28, 0.28, 0.27]],
    [50.75, 0.0625, [3.17, 3.17, 3.18, 3.17]],
  ];

test('orders.price ORD-38: E19, the tax of one line by its rounding', async () => {
  const rates = [...new Set(roundedTaxes.map(([, rate]) => rate))];
  const nameOf = (rate: number, rounding: string) => `${rate} ${rounding}`;
  const taxRates = Object.fromEntries(
    rates.flatMap((rate) =>
      roundings.map((roundingType) => [
        nameOf(rate, roundingType),
        percent(rate, { roundingType }),
      ]),
    ),
  );
  const lines = roundedTaxes.flatMap(([price, rate, taxes]) =>
    roundings.map((rounding, at) => ({
      name: `${price} at ${nameOf(rate, rounding)}`,
      sold: item(`${price} at ${nameOf(rate, rounding)}`, price, {
        taxInfo: [nameOf(rate, rounding)],
      }),
      tax: taxes[at],
    })),
  );
  const menu = { items: lines.map(({ sold }) => sold) };
  const fixture = await openOrderFixture({ payments, menu, configuration: { taxRates } });
  const { status, body } = await fixture.price(orderOf(lines.map(({ name }) => select(name))));
  assert.equal(status, 200, JSON.stringify(body));
  const taxes = (body as Order).checks[0]?.selections.map(({ tax }) => tax);
  assert.deepEqual(
    taxes,
    lines.map(({ tax }) => tax),
  );
});

test('orders.price ORD-38: E20, percents by selection and by check', async () => {
  const menu = { items: [item('Gum', 1.2, { taxInfo: ['T1'] })] };
  const configuration = { taxRates: { T1: percent(0.0875) } };
  const order = orderOf([select('Gum'), select('Gum'), select('Gum')]);
  for (const [percentTaxBasis, expected] of [
    ['selection', [0.11, 0.11, 0.11]],
    ['check', [0.11, 0.11, 0.1]],
  ] as const) {
    const fixture = await openOrderFixture({
      payments,
      menu,
      configuration,
      settings: { percentTaxBasis },
    });
    const { status, body } = await fixture.price(order);
    assert.equal(status, 200, JSON.stringify(body));
    const taxes = (body as Order).checks[0]?.selections.map(({ tax }) => tax);
    assert.deepEqual(taxes, expected, percentTaxBasis);
  }
});

test('orders.place ORD-57: E14, a gratuity is owed as tip', async () => {
  const example = examples.find(({ title }) => title.startsWith('E14 '));
  assert.ok(example?.configuration);
  const { menu, configuration } = example;
  const fixture = await openOrderFixture({ payments, menu, configuration });
  for (const [tipAmount, status] of [
    [18, 'CLOSED'],
    [0, 'OPEN'],
  ] as const) {
    const guid = await fixture.authorize(105, tipAmount);
    const payments = [{ type: 'CREDIT', guid, amount: 105, tipAmount }];
    const check = { appliedServiceCharges: [charged('gratuity')], payments };
    const placed = await fixture.place(orderOf([select('Banquet')], check));
    assert.equal(placed.status, 200, JSON.stringify(placed.body));
    assert.equal(placed.body.checks[0].paymentStatus, status);
  }
});
