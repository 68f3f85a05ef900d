import type { PricedCharge, PricedCheck, PricedSelection } from './types.ts';

/** A priced charge, and whether it is owed as tip. */
export interface ToTotal {
  readonly charge: PricedCharge;
  readonly isGratuity: boolean;
}

/** The totals of a check (ORD-41). The taxes of a gratuity count, the gratuity itself does not. */
export function totalsOf(
  selections: readonly PricedSelection[],
  charges: readonly ToTotal[],
): Pick<
  PricedCheck,
  'preDiscountMinor' | 'amountMinor' | 'taxMinor' | 'totalMinor' | 'gratuityMinor'
> {
  const ofCharges = (isGratuity: boolean) =>
    sumOf(
      charges.filter((one) => one.isGratuity === isGratuity).map((one) => one.charge.chargeMinor),
    );
  const amountMinor = sumOf(selections.map((one) => one.priceMinor)) + ofCharges(false);
  const taxes = [...selections, ...charges.map(({ charge }) => charge)];
  const taxMinor = sumOf(taxes.map((one) => one.taxMinor));
  return {
    preDiscountMinor: sumOf(selections.map((one) => one.preDiscountPriceMinor)),
    amountMinor,
    taxMinor,
    totalMinor: amountMinor + taxMinor,
    gratuityMinor: ofCharges(true),
  };
}

/** Sums are safe: a check with a larger one is refused. */
function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}
