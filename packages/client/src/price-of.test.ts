import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenusDocument, OrderRequest } from '@servery/contract';
import { type PriceOptions, type PriceSource, priceOf } from './price-of.ts';

const item = (name: string, price: number | null, more: object = {}) => ({
  ...{ name, guid: name, multiLocationId: `1${name}`, price, portions: [] },
  ...{ pricingStrategy: 'BASE_PRICE', pricingRules: null, modifierGroupReferences: [] },
  ...{
    isDiscountable: true,
    unitOfMeasure: 'NONE',
    taxInfo: ['Tax'],
    taxInclusion: 'TAX_NOT_INCLUDED',
  },
  ...more,
});
const free = item('Ketchup', 0, {
  ...{ pricingStrategy: 'GROUP_PRICE', isDefault: false, allowsDuplicates: false },
  modifierOptionTaxInfo: { taxRateGuids: ['Tax'], overrideItemTaxRates: false },
});
const document = {
  restaurantTimeZone: 'America/New_York',
  menus: [
    {
      menuGroups: [
        {
          ...{ guid: 'Food', multiLocationId: '1Food', menuGroups: [] },
          menuItems: [
            item('Burger', 12),
            item('Smoothie', 6.5),
            item('Fries', 4, { modifierGroupReferences: [1] }),
            item('Unpriced', null),
          ],
        },
      ],
    },
  ],
  modifierGroupReferences: {
    1: {
      ...{
        guid: 'Sauces',
        multiLocationId: '1Sauces',
        pricingStrategy: 'NONE',
        pricingRules: null,
      },
      ...{ defaultOptionsChargePrice: 'YES', defaultOptionsSubstitutionPricing: 'NO' },
      ...{ preModifierGroupReference: 3, modifierOptionReferences: [2] },
    },
  },
  modifierOptionReferences: { 2: free },
  preModifierGroupReferences: {
    3: {
      preModifiers: [
        {
          ...{ guid: 'EXTRA', multiLocationId: '1EXTRA', chargeAsExtra: true },
          ...{ fixedPrice: 0, multiplicationFactor: null },
        },
      ],
    },
  },
} as unknown as MenusDocument;

const discount = (guid: string, more: object) => ({
  ...{ guid, name: guid, active: true, type: 'PERCENT', percentage: 10, amount: null },
  ...{ selectionType: 'CHECK', nonExclusive: true, itemPickingPriority: null, ...more },
});
const source = {
  ...{ document, currency: 'USD' },
  configuration: {
    taxRates: [
      {
        ...{ guid: 'Tax', name: 'State', type: 'PERCENT', rate: 0.0875, roundingType: 'HALF_UP' },
        ...{ taxTable: [], conditionalTaxRates: [] },
      },
    ],
    discounts: [
      discount('Tenth', {}),
      discount('Old', { active: false }),
      discount('TwoForOne', { type: 'BOGO', selectionType: 'BOGO', percentage: null }),
    ],
    serviceCharges: [],
    diningOptions: [{ guid: 'Here', behavior: 'DINE_IN', curbside: false }],
  },
} as unknown as PriceSource;

const of = (name: string, quantity: number, more: object = {}) => ({
  ...{ item: { guid: name }, itemGroup: { guid: 'Food' }, quantity, modifiers: null, ...more },
});
const cart = (selections: object[], more: object = {}) =>
  ({
    diningOption: { guid: 'Here' },
    checks: [{ selections, ...more }],
  }) as unknown as OrderRequest;
const priced = (order: OrderRequest, options: PriceOptions = {}) => {
  const price = priceOf(order, source, options);
  assert.ok(price.isPriced, JSON.stringify(price));
  return price;
};

test('price of a cart: in currency units, as the platform would answer (E1)', () => {
  const { checks, unsure } = priced(cart([of('Burger', 1), of('Smoothie', 2)]));
  const [check] = checks;
  assert.deepEqual([check?.amount, check?.taxAmount, check?.totalAmount], [25, 2.19, 27.19]);
  assert.deepEqual(
    check?.selections.map(({ price, tax }) => [price, tax]),
    [
      [12, 1.05],
      [13, 1.14],
    ],
  );
  assert.deepEqual(unsure, []);
});

test('price of a cart: names objects by multiLocationId as well', () => {
  const selection = {
    item: { multiLocationId: '1Burger' },
    itemGroup: { multiLocationId: '1Food' },
  };
  assert.equal(priced(cart([selection])).checks[0]?.amount, 12);
});

test('price of a cart: what has no price says so, with its place', () => {
  assert.deepEqual(priceOf(cart([of('Burger', 1), of('Unpriced', 1), of('Nothing', 1)]), source), {
    isPriced: false,
    faults: [
      { place: 'checks[0].selections[1]', reason: 'UNPRICED' },
      { place: 'checks[0].selections[2]', reason: 'NOT_IN_MENU' },
    ],
  });
  const inactive = cart([of('Burger', 1)], { appliedDiscounts: [{ discount: { guid: 'Old' } }] });
  const price = priceOf(inactive, source);
  assert.ok(!price.isPriced && price.faults[0]?.reason === 'UNKNOWN_DISCOUNT');
});

test('price of a cart: says where the platform alone knows', () => {
  const tenth = { appliedDiscounts: [{ discount: { guid: 'Tenth' } }] };
  const discounted = priced(cart([of('Burger', 1)], tenth));
  assert.equal(discounted.checks[0]?.amount, 10.8);
  assert.deepEqual(
    discounted.unsure.map(({ place }) => place),
    ['checks[0].appliedDiscounts[0]'],
  );
  const extra = {
    item: { guid: 'Ketchup' },
    optionGroup: { guid: 'Sauces' },
    preModifier: { guid: 'EXTRA' },
  };
  const fries = cart([of('Fries', 1, { modifiers: [extra] })]);
  assert.equal(priced(fries).unsure[0]?.place, 'checks[0].selections[0].modifiers[0]');
  const noChargePrices = [{ optionGroup: 'Sauces', item: 'Ketchup', price: 0.5 }];
  const sure = priced(fries, { supplement: { noChargePrices } });
  assert.deepEqual([sure.unsure, sure.checks[0]?.amount], [[], 4.5]);
});

test('price of a cart: what a BOGO discount gives must be known', () => {
  const bogo = { appliedDiscounts: [{ discount: { guid: 'TwoForOne' } }] };
  const order = cart([of('Burger', 2)], bogo);
  assert.deepEqual(priceOf(order, source), {
    isPriced: false,
    faults: [{ place: 'checks[0].appliedDiscounts[0]', reason: 'DISCOUNT_RULE_UNKNOWN' }],
  });
  const side = { items: [], groups: [], quantity: 1 };
  const rule = {
    ...{ items: [], groups: [], excludedItems: [], excludedGroups: [], requiredItems: [] },
    ...{ requiredGroups: [], minCheckAmount: null, maxCheckAmount: null, diningOptions: [] },
    ...{ startDate: null, endDate: null, days: [], times: [], buy: side },
    get: { ...side, amountType: 'PERCENT', value: 100 } as const,
  };
  const price = priced(order, { discountRules: { TwoForOne: rule } });
  assert.deepEqual(
    price.checks[0]?.selections.map((one) => [one.index, one.price]),
    [
      [0, 12],
      [0, 0],
    ],
  );
});
