/** Decisions on taxes that the worked examples leave open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceCheck, resolveCheck, type TaxRate } from '../src/index.ts';
import {
  charge,
  contextOf,
  discount,
  group,
  item,
  modify,
  option,
  percentTax,
  preModifier,
  select,
  type TestRestaurant,
  taxedBy,
} from './menu.ts';
import { faultsOf, priceOne, totalsOf } from './price.ts';

const fixedTax = (name: string, rate: number): TaxRate =>
  percentTax(name, rate, { type: 'FIXED', roundingType: null });
const row = (start: number, end: number, tax: number) => ({ start, end, tax, pattern: false });
const table = percentTax('table', 0, {
  type: 'TABLE',
  rate: null,
  roundingType: null,
  taxTable: [row(0, 0.99, 0), row(1, 10, 0.5)],
});
const use = (name: string) => ({ discount: { guid: name } });

test('pricing ORD-39: an included fixed tax is taken out first, and never beyond the price', () => {
  const inclusion = { taxInfo: ['deposit', 'sales'], taxInclusion: 'TAX_INCLUDED' } as const;
  const restaurant: TestRestaurant = {
    items: [item('Bottle', 2.25, inclusion), item('Cap', 0.1, inclusion)],
    configuration: { taxRates: [fixedTax('deposit', 0.25), percentTax('sales', 0.1)] },
  };
  const taxes = (name: string) =>
    priceOne(restaurant, { selections: [select(name)] }).selections[0]?.appliedTaxes.map(
      ({ taxMinor }) => taxMinor,
    );
  // (2.25 − 0.25) × 0.1 / 1.1 = 0.1818.
  assert.deepEqual(taxes('Bottle'), [25, 18]);
  assert.deepEqual(taxes('Cap'), [10, 0]);
});

test('pricing ORD-40: two small items of one check reach the row of their sum', () => {
  const items = [item('Gum', 0.6, { taxInfo: ['table'] })];
  const check = priceOne(
    { items, configuration: { taxRates: [table] } },
    { selections: [select('Gum'), select('Gum')] },
  );
  assert.deepEqual(
    check.selections.map(({ taxMinor }) => taxMinor),
    [25, 25],
  );
});

test('pricing ORD-40: without a pattern, the tax of the last row holds above the table', () => {
  const items = [item('Feast', 99, { taxInfo: ['table'] })];
  const restaurant = { items, configuration: { taxRates: [table] } };
  assert.equal(priceOne(restaurant, { selections: [select('Feast')] }).taxMinor, 50);
});

test('pricing ORD-39: a table can not be taken out of a price, so it is a fault', () => {
  const items = [item('Gum', 0.6, { taxInfo: ['table'], taxInclusion: 'TAX_INCLUDED' })];
  const restaurant = { items, configuration: { taxRates: [table] } };
  assert.deepEqual(faultsOf(restaurant, { selections: [select('Gum')] }), [
    { place: 'checks[0].selections[0]', reason: 'TABLE_TAX_INCLUDED' },
  ]);
});

test('pricing ORD-38: a fixed tax on something weighed counts once', () => {
  const restaurant: TestRestaurant = {
    items: [item('Cheese', 10, { unitOfMeasure: 'LB', taxInfo: ['deposit'] })],
    configuration: { taxRates: [fixedTax('deposit', 0.25)] },
  };
  const check = { selections: [select('Cheese', { quantity: 2.5 })] };
  assert.deepEqual(totalsOf(priceOne(restaurant, check)), [2500, 25, 2525]);
});

test('pricing ORD-37: what is weighed is taxed on all of its price, split or not', () => {
  const restaurant: TestRestaurant = {
    items: [
      item('Cheese', 1.01, {
        unitOfMeasure: 'LB',
        taxInfo: ['state'],
        modifierGroupReferences: [1],
      }),
    ],
    groups: { 1: group('Extras', [2]) },
    options: { 2: option('Truffle', 1.01, taxedBy(['city'])) },
    configuration: { taxRates: [percentTax('state', 1), percentTax('city', 1)] },
  };
  const modifiers = [modify('Extras', 'Truffle')];
  const check = priceOne(restaurant, {
    selections: [select('Cheese', { quantity: 0.5, modifiers })],
  });
  // Each alone is 0.505, which would be rounded to 0.51 twice.
  assert.deepEqual(totalsOf(check), [101, 101, 202]);
});

test('pricing ORD-37: a modifier that takes off the price bears no part of a discount', () => {
  const restaurant: TestRestaurant = {
    items: [item('Burger', 10, { taxInfo: ['state'], modifierGroupReferences: [1] })],
    groups: { 1: group('Less', [2]) },
    options: { 2: option('No bun', -2, taxedBy([])) },
    configuration: {
      taxRates: [percentTax('state', 0.1)],
      discounts: [discount('half', { percentage: 50 })],
    },
  };
  const check = priceOne(restaurant, {
    selections: [select('Burger', { modifiers: [modify('Less', 'No bun')] })],
    appliedDiscounts: [use('half')],
  });
  // 8.00 less 4.00; the taxed line is 10.00 less 4.00.
  assert.deepEqual(totalsOf(check), [400, 60, 460]);
});

test('pricing ORD-37: what was taken away changes no tax, and half a portion does', () => {
  const restaurant: TestRestaurant = {
    items: [
      item('Pizza', 10, {
        taxInfo: ['state'],
        modifierGroupReferences: [1],
        portions: [{ guid: 'Half', modifierGroupReferences: [1], priceScaleFactor: 0.5 }],
      }),
    ],
    groups: { 1: group('Toppings', [2, 3], { preModifierGroupReference: 4 }) },
    options: {
      2: option('Wine', 2, taxedBy(['city'], true)),
      3: option('Bag', 0, taxedBy(['deposit'])),
    },
    preModifiers: { 4: [preModifier('NO', { multiplicationFactor: 0 })] },
    configuration: {
      taxRates: [percentTax('state', 0.1), percentTax('city', 0.5), fixedTax('deposit', 0.25)],
    },
  };
  const tax = (modifiers: ReturnType<typeof modify>[]) =>
    priceOne(restaurant, { selections: [select('Pizza', { modifiers })] }).taxMinor;
  const no = { preModifier: { guid: 'NO' } };
  assert.equal(tax([modify('Toppings', 'Wine', no), modify('Toppings', 'Bag', no)]), 100);
  assert.equal(tax([modify('Toppings', 'Bag')]), 125);
  const half = { selectionType: 'PORTION' as const, item: { guid: 'Half' } };
  // 11.00 × 0.5: the wine on one half sets the rate of the pizza.
  assert.equal(tax([{ ...half, modifiers: [modify('Toppings', 'Wine')] }]), 550);
});

test('pricing ORD-37: one dish for take-out on an order for here has the rate of take-out', () => {
  const conditionalTaxRates = [{ condition: 'TAKE_OUT', rate: 0.02 }];
  const restaurant: TestRestaurant = {
    items: [item('Soup', 10, { taxInfo: ['sales'] })],
    configuration: { taxRates: [percentTax('sales', 0.08, { conditionalTaxRates })] },
  };
  const packed = select('Soup', { diningOption: { guid: 'take-out' } });
  const { selections } = priceOne(restaurant, { selections: [select('Soup'), packed] });
  assert.deepEqual(
    selections.map(({ taxMinor }) => taxMinor),
    [80, 20],
  );
});

test('pricing ORD-36: a charge is taxed by the plain rate, and not for exempt guests', () => {
  const conditionalTaxRates = [{ condition: 'TAKE_OUT', rate: 0.02 }];
  const restaurant: TestRestaurant = {
    items: [item('Soup', 10)],
    configuration: {
      taxRates: [percentTax('sales', 0.08, { conditionalTaxRates })],
      serviceCharges: [
        charge('fee', { amount: 5, taxable: true, applicableTaxes: [{ guid: 'sales' }] }),
      ],
    },
  };
  const check = {
    selections: [select('Soup')],
    appliedServiceCharges: [{ serviceCharge: { guid: 'fee' } }],
  };
  assert.deepEqual(totalsOf(priceOne(restaurant, check, 'take-out')), [1500, 40, 1540]);
  assert.deepEqual(totalsOf(priceOne(restaurant, { ...check, taxExempt: true })), [1500, 0, 1500]);
});

test('pricing ORD-41: a voided selection has no price, no tax and no discount', () => {
  const context = contextOf({
    items: [item('Soup', 8, { taxInfo: ['sales', 'deposit'] })],
    configuration: { taxRates: [percentTax('sales', 0.1), fixedTax('deposit', 0.25)] },
  });
  const order = { selections: [select('Soup', { quantity: 2 })] };
  const resolved = resolveCheck(order, { guid: 'dine-in' }, 'checks[0]', context).priced;
  assert.ok(resolved);
  const selections = resolved.selections.map((one) => ({
    ...one,
    resolved: { ...one.resolved, isVoided: true },
  }));
  const { priced } = priceCheck({ ...resolved, selections }, 'checks[0]', context);
  assert.deepEqual(priced && totalsOf(priced), [0, 0, 0]);
  assert.deepEqual(priced?.selections[0]?.appliedTaxes, []);
});
