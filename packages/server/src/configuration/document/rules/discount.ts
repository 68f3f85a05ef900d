import type { Discount } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

/**
 * A percentage for percent discounts, an amount for fixed ones, a total for combos, and neither for
 * others. The schema checks the size of numbers.
 */
export function checkDiscount(discount: Discount, place: Place): void {
  const { type, percentage, amount, fixedTotal } = discount;
  checkPresence(percentage, type, 'percentage', ['PERCENT'], ['OPEN_PERCENT'], place);
  checkPresence(amount, type, 'amount', ['FIXED'], ['OPEN_FIXED'], place);
  checkPresence(fixedTotal, type, 'fixedTotal', ['FIXED_TOTAL'], [], place);
  if (fixedTotal !== null && fixedTotal <= 0) {
    place.fault('must be more than 0: it is the price of the combo', 'fixedTotal');
  }
  if ((type === 'BOGO') !== (discount.selectionType === 'BOGO')) {
    place.fault('must be "BOGO" for discounts of type BOGO, and only for them', 'selectionType');
  }
  const isCombo = type === 'FIXED_TOTAL';
  if (discount.nonExclusive && (isCombo || discount.selectionType === 'ITEM')) {
    const what = isCombo ? 'combo' : 'item';
    place.fault(`must be false: ${what} discounts always exclude others`, 'nonExclusive');
  }
}

function checkPresence(
  value: number | null,
  type: Discount['type'],
  field: string,
  needed: readonly Discount['type'][],
  allowed: readonly Discount['type'][],
  place: Place,
): void {
  if (value === null && needed.includes(type)) {
    place.fault(`is missing; discounts of type ${type} need it`, field);
  }
  if (value !== null && !needed.includes(type) && !allowed.includes(type)) {
    place.fault(`must be null or absent for discounts of type ${type}`, field);
  }
}

/** Two live discounts must not share a code: a guest who enters it would get either. */
export function checkPromoCodes(
  discounts: readonly { readonly fields: Discount; readonly place: Place }[],
): void {
  const seen = new Set<string>();
  for (const { fields, place } of discounts) {
    fields.promoCodes.forEach(({ code }, index) => {
      if (code.trim() === '') place.fault('is empty', 'promoCodes', index, 'code');
      if (seen.has(code)) {
        const message = `the restaurant has the code ${JSON.stringify(code)} already; change one`;
        place.fault(message, 'promoCodes', index, 'code');
      }
      seen.add(code);
    });
  }
}
