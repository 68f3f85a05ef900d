import { percentOf } from './discounts.ts';
import { findReferenced } from './find-in-menu.ts';
import { ONE } from './fraction.ts';
import { toMinor } from './round.ts';
import { listTaxes, sumOfTaxes, taxOf, usedRate } from './taxes.ts';
import type { ChargeRequest, FaultReason, PricedCharge, ServiceCharge, TaxRate } from './types.ts';

/** What percent charges are calculated on. */
export interface ChargeBase {
  readonly preDiscount: bigint;
  readonly postDiscount: bigint;
}

/** Prices a service charge and its taxes (ORD-36). Charges are taxed one by one. */
export function priceCharge(
  request: ChargeRequest,
  charge: ServiceCharge,
  base: ChargeBase,
  rates: readonly TaxRate[],
  currencyExponent: number,
): PricedCharge | FaultReason {
  const amount = chargeAmount(request, charge, base, currencyExponent);
  if (typeof amount !== 'bigint') return amount;
  const taxes = rates.map((rate) => {
    const taxable = { amount, rate, count: ONE, isTakeOut: false };
    return { rate, used: usedRate(taxable), minor: taxOf(taxable, currencyExponent) };
  });
  return {
    serviceCharge: charge.guid,
    request,
    chargeMinor: Number(amount),
    taxMinor: Number(sumOfTaxes(taxes)),
    appliedTaxes: listTaxes(taxes),
  };
}

export function findCharge(charges: readonly ServiceCharge[], { serviceCharge }: ChargeRequest) {
  return findReferenced(charges, serviceCharge);
}

function chargeAmount(
  { chargeAmount: sent }: ChargeRequest,
  { amountType, amount, percent, serviceChargeCalculation }: ServiceCharge,
  { preDiscount, postDiscount }: ChargeBase,
  currencyExponent: number,
): bigint | FaultReason {
  if (amountType === 'PERCENT') {
    const base = serviceChargeCalculation === 'POST_DISCOUNT' ? postDiscount : preDiscount;
    return percent === null ? 'CHARGE_WITHOUT_AMOUNT' : percentOf(base, percent);
  }
  const fixed = amountType === 'FIXED' ? amount : (sent ?? null);
  return fixed === null ? 'CHARGE_WITHOUT_AMOUNT' : toMinor(fixed, currencyExponent);
}
