/** What holds for every order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, fraction, plus, times, ZERO } from '../src/fraction.ts';
import type { CheckRequest, PricedCheck, Rounding } from '../src/index.ts';
import { round } from '../src/round.ts';
import { share } from '../src/share.ts';
import { lookUpTax } from '../src/tables.ts';
import { includedTaxes, taxOf } from '../src/taxes.ts';
import {
  buyOneGetOne,
  charge,
  contextOf,
  discount,
  group,
  item,
  modify,
  option,
  percentTax,
  select,
  type TestRestaurant,
  taxedBy,
} from './menu.ts';
import { priceIn } from './price.ts';

const roundings: readonly Rounding[] = ['HALF_UP', 'HALF_EVEN', 'ALWAYS_UP', 'ALWAYS_DOWN'];
const rounding = fc.constantFrom(...roundings);
const amount = fc.bigInt({ min: 0n, max: 100_000_00n });
const cents = fc.integer({ min: 0, max: 20_000 }).map((minor) => minor / 100);
/** Rates of up to 25 percent in steps of a thousandth of a percent. */
const rate = fc.integer({ min: 0, max: 25_000 }).map((thousandths) => thousandths / 100_000);

test('pricing ORD-25: shares add up exactly, and none is a whole unit off its proportion', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amount, weights, (total, given) => {
      const shares = share(
        total,
        given.map((one) => fraction(one)),
      );
      assert.equal(sumOf(shares), total);
      const sum = sumOf(given);
      if (sum === 0n) return;
      shares.forEach((one, index) => {
        const off = one * sum - total * (given[index] ?? 0n);
        assert.ok(off < sum && off > -sum, `${shares} of ${total} by ${given}`);
      });
    }),
  );
});

test('pricing ORD-25: of equal fractions the first gets what is left', () => {
  const shares = share(
    5n,
    [1n, 1n, 1n].map((one) => fraction(one)),
  );
  assert.deepEqual(shares, [2n, 2n, 1n]);
});

test('pricing ORD-25: a decimal of JSON is read exactly, also with an exponent', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 12 }), (digits, places) => {
      const exact = fraction(BigInt(digits), 10n ** BigInt(places));
      assert.deepEqual(decimal(Number(`${digits}e-${places}`)), exact);
    }),
  );
});

test('pricing ORD-25: rounding is off by half a unit at most, up and down by less than one', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 9n }), rounding, (n, d, mode) => {
      const off = round(fraction(n, d), mode) * d - n;
      const size = off < 0n ? -off : off;
      const isHalf = mode === 'HALF_UP' || mode === 'HALF_EVEN';
      assert.ok(isHalf ? 2n * size <= d : size < d);
      if (mode === 'ALWAYS_UP') assert.ok(n < 0n ? off <= 0n : off >= 0n);
      if (mode === 'ALWAYS_DOWN') assert.ok(n < 0n ? off >= 0n : off <= 0n);
    }),
  );
});

test('pricing ORD-38: an added tax never falls when the amount grows', () => {
  fc.assert(
    fc.property(amount, amount, rate, rounding, (one, other, used, roundingType) => {
      const taxRate = percentTax('sales', used, { roundingType });
      const [less, more] = one < other ? [one, other] : [other, one];
      const tax = (minor: bigint) =>
        taxOf({ amount: minor, rate: taxRate, count: fraction(1n), isTakeOut: false }, 2);
      assert.ok(tax(less) <= tax(more));
    }),
  );
});

test('pricing ORD-39: included taxes are what the net price would be taxed with, to a cent', () => {
  fc.assert(
    fc.property(amount, fc.array(rate, { minLength: 1, maxLength: 3 }), (guest, rates) => {
      const taxables = rates.map((one, index) => ({
        rate: percentTax(`${index}`, one),
        count: fraction(1n),
        isTakeOut: false,
      }));
      const taxes = includedTaxes(guest, taxables, 2).map(({ minor }) => minor);
      const net = guest - sumOf(taxes);
      assert.ok(net >= 0n && taxes.every((one) => one >= 0n));
      const all = rates.map(decimal).reduce(plus, ZERO);
      const off = round(times(fraction(net), all), 'HALF_UP') - sumOf(taxes);
      assert.ok(off <= 2n && off >= -2n, `${net} + ${taxes} of ${guest} at ${rates}`);
    }),
  );
});

test('pricing ORD-40: each span above a tax table adds one step', () => {
  const table = [
    { start: 0, end: 0.1, tax: 0, pattern: false },
    { start: 0.11, end: 0.6, tax: 0.01, pattern: true },
    { start: 0.61, end: 1.1, tax: 0.06, pattern: true },
  ];
  fc.assert(
    fc.property(fc.bigInt({ min: 11n, max: 10n ** 9n }), (minor) => {
      assert.equal(lookUpTax(minor + 100n, table, 2), lookUpTax(minor, table, 2) + 6n);
    }),
  );
});

const check = fc.record({
  prices: fc.array(cents, { minLength: 1, maxLength: 5 }),
  extra: cents,
  quantities: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 5, maxLength: 5 }),
  rates: fc.tuple(rate, rate),
  rounding,
  isIncluded: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  isDiscountable: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  percent: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
  off: fc.integer({ min: 1, max: 5_000 }).map((minor) => minor / 100),
  discounts: fc.subarray(['fixed', 'percent', 'other percent']),
  ofItem: fc.boolean(),
  ofBogo: fc.boolean(),
  percentTaxBasis: fc.constantFrom('selection' as const, 'check' as const),
});
type Check = typeof check extends fc.Arbitrary<infer T> ? T : never;

function restaurantOf(given: Check): TestRestaurant {
  const { rates, percent, off } = given;
  const roundingType = given.rounding;
  return {
    items: given.prices.map((price, index) =>
      item(`${index}`, price, {
        taxInfo: ['state'],
        taxInclusion: given.isIncluded[index] ? 'TAX_INCLUDED' : 'TAX_NOT_INCLUDED',
        isDiscountable: given.isDiscountable[index] ?? true,
        modifierGroupReferences: [1],
      }),
    ),
    groups: { 1: group('Extras', [2]) },
    options: { 2: option('Extra', given.extra, taxedBy(['city'])) },
    configuration: {
      taxRates: [
        percentTax('state', rates[0], { roundingType }),
        percentTax('city', rates[1], { roundingType }),
      ],
      discounts: [
        discount('fixed', { type: 'FIXED', amount: off }),
        discount('percent', { percentage: percent }),
        discount('other percent', { percentage: percent }),
        discount('of item', { percentage: percent, selectionType: 'ITEM' }),
        buyOneGetOne,
      ],
      serviceCharges: [charge('fee', { amount: off, taxable: true, applicableTaxes: [] })],
    },
    settings: { percentTaxBasis: given.percentTaxBasis },
  };
}

function orderOf(given: Check, discounts: readonly string[] = given.discounts): CheckRequest {
  const bogo = given.ofBogo ? [buyOneGetOne.guid] : [];
  return {
    selections: given.prices.map((_price, index) =>
      select(`${index}`, {
        quantity: given.quantities[index] ?? 1,
        modifiers: [modify('Extras', 'Extra')],
        appliedDiscounts: given.ofItem && index === 4 ? [{ discount: { guid: 'of item' } }] : [],
      }),
    ),
    appliedDiscounts: [...bogo, ...discounts].map((guid) => ({ discount: { guid } })),
    appliedServiceCharges: [{ serviceCharge: { guid: 'fee' } }],
  };
}

/** Orders that can be priced: a BOGO needs two units that have no other discount. */
const priceable = check.filter(({ ofBogo, quantities: [first = 1] }) => !ofBogo || first > 1);

const priceGiven = (given: Check, discounts?: readonly string[]): PricedCheck =>
  priceIn(contextOf(restaurantOf(given)), orderOf(given, discounts));

test('pricing ORD-41: totals are the sums of what the receipt lists', () => {
  fc.assert(
    fc.property(priceable, (given) => {
      const priced = priceGiven(given);
      const { selections, appliedServiceCharges } = priced;
      const charges = appliedServiceCharges.map(({ chargeMinor }) => chargeMinor);
      const taxes = selections.flatMap(({ appliedTaxes }) => appliedTaxes);
      assert.equal(
        priced.amountMinor,
        total([...selections.map(({ priceMinor }) => priceMinor), ...charges]),
      );
      assert.equal(priced.taxMinor, total(taxes.map(({ taxMinor }) => taxMinor)));
      assert.equal(priced.totalMinor, priced.amountMinor + priced.taxMinor);
    }),
  );
});

test('pricing ORD-34: discounts leave no price below zero and explain the whole difference', () => {
  fc.assert(
    fc.property(priceable, (given) => {
      const { selections, appliedDiscounts } = priceGiven(given);
      for (const one of selections) {
        assert.ok(one.priceMinor >= 0 && one.priceMinor <= one.preDiscountPriceMinor);
      }
      const all = [...appliedDiscounts, ...selections.flatMap((one) => one.appliedDiscounts)];
      assert.equal(
        total(selections.map((one) => one.preDiscountPriceMinor - one.priceMinor)),
        total(all.map((one) => one.nonTaxDiscountMinor)),
      );
    }),
  );
});

test('pricing ORD-34: two equal percents cost the same in either order', () => {
  fc.assert(
    fc.property(priceable, (given) => {
      const { totalMinor } = priceGiven(given, ['percent', 'fixed', 'other percent']);
      assert.equal(priceGiven(given, ['other percent', 'fixed', 'percent']).totalMinor, totalMinor);
    }),
  );
});

test('pricing ORD-39: an included price and its tax are what the menu says', () => {
  fc.assert(
    fc.property(priceable, (given) => {
      const { selections } = priceGiven({ ...given, ofItem: false, ofBogo: false }, []);
      for (const one of selections) {
        if (!given.isIncluded[one.requestIndex]) continue;
        const extra = total(one.modifiers.map(({ priceMinor }) => priceMinor));
        const asShown = one.receiptLinePriceMinor * one.quantity + extra;
        assert.equal(one.priceMinor + one.taxMinor, asShown);
      }
    }),
  );
});

test('pricing ORD-33: a BOGO splits units, and neither adds nor loses one', () => {
  fc.assert(
    fc.property(priceable, (given) => {
      const { selections } = priceGiven({ ...given, ofBogo: (given.quantities[0] ?? 1) > 1 });
      given.prices.forEach((_price, index) => {
        const parts = selections.filter(({ requestIndex }) => requestIndex === index);
        assert.equal(total(parts.map(({ quantity }) => quantity)), given.quantities[index]);
        assert.ok(parts.every(({ quantity }) => quantity > 0));
      });
    }),
  );
});

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}
