import type { StoredFields } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import type { Money } from './amount.ts';

/** ORD-31: when and where a discount can be used. */
export function checkDiscountRule(
  { rule, type }: StoredFields<'discounts'>,
  place: Place,
  money: Money,
): void {
  if (rule === null) return;
  const { minCheckAmount, maxCheckAmount, startDate, endDate, get } = rule;
  money.check(minCheckAmount, place, 'minCheckAmount');
  money.check(maxCheckAmount, place, 'maxCheckAmount');
  if (minCheckAmount !== null && maxCheckAmount !== null && minCheckAmount >= maxCheckAmount) {
    const message = `must be more than minCheckAmount, which is ${minCheckAmount}`;
    place.fault(message, 'maxCheckAmount');
  }
  if (startDate !== null && endDate !== null && endDate < startDate) {
    place.fault(`must not be before startDate, which is ${startDate}`, 'endDate');
  }
  for (const side of ['buy', 'get'] as const) {
    if (rule[side] !== null && type !== 'BOGO') {
      place.fault('must be null or absent unless the type of the discount is BOGO', side);
    }
  }
  if (get?.amountType === 'FIXED') money.check(get.value, place, 'get', 'value');
  if (get?.amountType === 'PERCENT' && get.value > 100) {
    place.fault('must be at most 100: it is a percentage', 'get', 'value');
  }
}
