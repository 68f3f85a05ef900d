import assert from 'node:assert/strict';
import {
  type CheckRequest,
  type PricedCheck,
  type PricingContext,
  priceOrder,
} from '../src/index.ts';
import { contextOf, type TestRestaurant } from './menu.ts';

/** Prices an order with one check. */
export function priceOne(
  restaurant: TestRestaurant,
  check: CheckRequest,
  diningOption = 'dine-in',
): PricedCheck {
  return priceIn(contextOf(restaurant), check, diningOption);
}

function priceIn(
  context: PricingContext,
  check: CheckRequest,
  diningOption = 'dine-in',
): PricedCheck {
  const result = priceOrder({ diningOption: { guid: diningOption }, checks: [check] }, context);
  assert.deepEqual(result.faults, null);
  const [priced] = result.priced?.checks ?? [];
  assert.ok(priced);
  return priced;
}

/** amount, taxAmount and totalAmount, in minor units. */
export function totalsOf(check: PricedCheck): number[] {
  return [check.amountMinor, check.taxMinor, check.totalMinor];
}
