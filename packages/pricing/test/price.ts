import assert from 'node:assert/strict';
import {
  type CheckRequest,
  type PricedCheck,
  type PriceFault,
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

export function priceIn(
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

export function faultsOf(restaurant: TestRestaurant, check: CheckRequest): readonly PriceFault[] {
  const order = { diningOption: { guid: 'dine-in' }, checks: [check] };
  return priceOrder(order, contextOf(restaurant)).faults ?? [];
}

/** amount, taxAmount and totalAmount, in minor units. */
export function totalsOf(check: PricedCheck): number[] {
  return [check.amountMinor, check.taxMinor, check.totalMinor];
}
