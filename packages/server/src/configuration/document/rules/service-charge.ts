import type { ServiceCharge } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

/** CFG-4: an amount for FIXED, a percentage and its calculation for PERCENT, neither for OPEN. */
export function checkServiceCharge(charge: ServiceCharge, place: Place): void {
  checkNumber(charge.amount, 'amount', charge.amountType, 'FIXED', place);
  checkNumber(charge.percent, 'percent', charge.amountType, 'PERCENT', place);
  const isPercent = charge.amountType === 'PERCENT';
  if (isPercent && charge.serviceChargeCalculation === null) {
    place.fault('is missing; a percent needs it', 'serviceChargeCalculation');
  }
  if (!isPercent && charge.serviceChargeCalculation !== null) {
    place.fault('must be null or absent unless amountType is PERCENT', 'serviceChargeCalculation');
  }
  const { minCheckAmount, maxCheckAmount } = charge.criteria;
  if (minCheckAmount !== null && maxCheckAmount !== null && minCheckAmount > maxCheckAmount) {
    const message = `must not be less than minCheckAmount, which is ${minCheckAmount}`;
    place.fault(message, 'criteria', 'maxCheckAmount');
  }
}

function checkNumber(
  value: number | null,
  field: string,
  amountType: ServiceCharge['amountType'],
  ofType: ServiceCharge['amountType'],
  place: Place,
): void {
  if (amountType !== ofType) {
    if (value !== null)
      place.fault(`must be null or absent when amountType is ${amountType}`, field);
  } else if (value === null) {
    place.fault(`is missing; charges with the amountType ${ofType} need it`, field);
  } else if (value < 0) {
    place.fault('must not be negative; an amount off the check is a discount', field);
  }
}
