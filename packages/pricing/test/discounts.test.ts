/** Decisions on discounts that the worked examples leave open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckRequest, DiscountRule, PricedCheck } from '../src/index.ts';
import { buyOneGetOne, discount, item, rule, select, type TestRestaurant } from './menu.ts';
import { faultsOf, priceOne } from './price.ts';

const use = (name: string) => ({ discount: { guid: name } });
const pricesOf = ({ selections }: PricedCheck) => selections.map(({ priceMinor }) => priceMinor);

/** A BOGO on anything. */
const offer = (buy: number, get: Partial<NonNullable<DiscountRule['get']>>) => ({
  ...buyOneGetOne,
  rule: rule({
    buy: { items: [], groups: [], quantity: buy },
    get: { items: [], groups: [], quantity: 1, amountType: 'PERCENT', value: 100, ...get },
  }),
});
const priceWith = (
  bogo: ReturnType<typeof offer>,
  items: TestRestaurant['items'],
  selections: CheckRequest['selections'],
) =>
  priceOne(
    { items, configuration: { discounts: [bogo, half] } },
    { selections, appliedDiscounts: [use(bogo.guid)] },
  );
const half = discount('half', { percentage: 50, selectionType: 'ITEM' });

test('pricing ORD-32: half a cent of a percent discount goes to the even cent', () => {
  const cost = (price: number) =>
    pricesOf(
      priceOne(
        { items: [item('Gum', price)], configuration: { discounts: [half] } },
        { selections: [select('Gum', { appliedDiscounts: [use('half')] })] },
      ),
    );
  assert.deepEqual(cost(0.25), [13]);
  assert.deepEqual(cost(0.27), [13]);
});

test('pricing ORD-32: an amount that is entered comes off; one that is missing is a fault', () => {
  const open = discount('open', { type: 'OPEN_FIXED', selectionType: 'ITEM' });
  const restaurant = { items: [item('Soup', 8)], configuration: { discounts: [open] } };
  const order = (discountAmount?: number) => ({
    selections: [
      select('Soup', {
        appliedDiscounts: [{ ...use('open'), discountAmount: discountAmount ?? null }],
      }),
    ],
  });
  assert.deepEqual(pricesOf(priceOne(restaurant, order(1.5))), [650]);
  assert.deepEqual(pricesOf(priceOne(restaurant, order(9))), [0]);
  assert.deepEqual(faultsOf(restaurant, order()), [
    {
      place: 'checks[0].selections[0].appliedDiscounts[0]',
      reason: 'DISCOUNT_WITHOUT_AMOUNT',
    },
  ]);
});

test('pricing ORD-32: a discount on an item that has none is 0.00, and no fault', () => {
  const items = [item('Gift card', 25, { isDiscountable: false })];
  const check = priceOne(
    { items, configuration: { discounts: [half] } },
    { selections: [select('Gift card', { appliedDiscounts: [use('half')] })] },
  );
  assert.deepEqual(pricesOf(check), [2500]);
  assert.equal(check.selections[0]?.appliedDiscounts[0]?.discountMinor, 0);
});

test('pricing ORD-22: a discount of a kind or in a place that orders can not have is a fault', () => {
  const configuration = {
    discounts: [
      half,
      discount('of check', { percentage: 10 }),
      discount('open percent', { type: 'OPEN_PERCENT' }),
      discount('combo', { type: 'FIXED_TOTAL' }),
    ],
  };
  const restaurant = { items: [item('Soup', 8)], configuration };
  const check = {
    selections: [select('Soup', { appliedDiscounts: [use('of check')] })],
    appliedDiscounts: ['open percent', 'combo', 'gone', 'half'].map(use),
  };
  assert.deepEqual(
    faultsOf(restaurant, check).map(({ place, reason }) => `${place} ${reason}`),
    [
      'checks[0].selections[0].appliedDiscounts[0] DISCOUNT_NOT_APPLICABLE',
      'checks[0].appliedDiscounts[0] DISCOUNT_NOT_APPLICABLE',
      'checks[0].appliedDiscounts[1] DISCOUNT_NOT_APPLICABLE',
      'checks[0].appliedDiscounts[2] UNKNOWN_DISCOUNT',
      'checks[0].appliedDiscounts[3] DISCOUNT_NOT_APPLICABLE',
    ],
  );
});

test('pricing ORD-33: an amount comes off each unit that is given, up to its price', () => {
  const soups = [select('Soup', { quantity: 3 })];
  const price = (value: number) => {
    const twoOff = offer(1, { quantity: 2, amountType: 'FIXED', value });
    return pricesOf(priceWith(twoOff, [item('Soup', 8)], soups));
  };
  assert.deepEqual(price(1.5), [800, 1300]);
  assert.deepEqual(price(9), [800, 0]);
});

test('pricing ORD-33: what has a discount already is neither bought nor given', () => {
  const discounted = select('Soup', { appliedDiscounts: [use('half')] });
  const selections = [discounted, select('Soup'), select('Soup')];
  const check = priceWith(offer(1, {}), [item('Soup', 8)], selections);
  assert.deepEqual(pricesOf(check), [400, 800, 0]);
});

test('pricing ORD-33: what is weighed counts as one and is not split', () => {
  const cheese = item('Cheese', 10, { unitOfMeasure: 'LB' });
  const weighed = select('Cheese', { quantity: 2.5 });
  const check = priceWith(offer(1, {}), [cheese], [weighed, weighed]);
  assert.deepEqual(pricesOf(check), [2500, 0]);
});

test('pricing ORD-33: one offer that gave two selections is one offer when it is sent again', () => {
  const items = [item('Soup', 8), item('Tea', 3), item('Steak', 30)];
  const selections = [
    select('Steak'),
    select('Soup', { appliedDiscounts: [use('buy one, get one')] }),
    select('Tea', { appliedDiscounts: [use('buy one, get one')] }),
  ];
  const configuration = { discounts: [offer(1, { quantity: 2 })] };
  assert.deepEqual(pricesOf(priceOne({ items, configuration }, { selections })), [3000, 0, 0]);
});

test('pricing ORD-33: an offer that gave two weighed selections is one offer when it is sent again', () => {
  const items = [item('Cheese', 10, { unitOfMeasure: 'LB' }), item('Steak', 30)];
  const weighed = select('Cheese', {
    quantity: 2.5,
    appliedDiscounts: [use('buy one, get one')],
  });
  const configuration = { discounts: [offer(1, { quantity: 2 })] };
  const check = priceOne(
    { items, configuration },
    { selections: [select('Steak'), weighed, weighed] },
  );
  assert.deepEqual(pricesOf(check), [3000, 0, 0]);
});

test('pricing ORD-35: an exclusive discount of a check does not go with a BOGO', () => {
  const configuration = {
    discounts: [buyOneGetOne, discount('exclusive', { percentage: 10, nonExclusive: false })],
  };
  const check = {
    selections: [select('Soup', { quantity: 2 })],
    appliedDiscounts: [use('buy one, get one'), use('exclusive')],
  };
  assert.deepEqual(faultsOf({ items: [item('Soup', 8)], configuration }, check), [
    { place: 'checks[0].appliedDiscounts[1]', reason: 'DISCOUNT_EXCLUSIVE' },
  ]);
});
