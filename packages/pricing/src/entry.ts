import { decimal, type Fraction, fraction, ONE } from './fraction.ts';
import { scale } from './round.ts';
import { share } from './share.ts';
import { includedTaxes, sumOfTaxes, type Tax, type Taxable } from './taxes.ts';
import type { DiscountRequest, PricedDiscount, ResolvedSelection, TaxRate } from './types.ts';

/** A selection, or a part that a BOGO discount split from one, while its check is priced. */
export interface Entry {
  readonly requestIndex: number;
  readonly isSplit: boolean;
  readonly resolved: ResolvedSelection;
  readonly quantity: number;
  readonly appliedDiscounts: readonly DiscountRequest[];
  /** What the guest pays before discounts, included tax and all. */
  readonly guestMinor: bigint;
  /** What is taxed together. The amounts add up to `guestMinor`. */
  readonly lines: readonly { readonly amount: bigint; readonly rates: readonly TaxRate[] }[];
  /** What all discounts so far have taken off. */
  discountMinor: bigint;
  readonly discounts: PricedDiscount[];
}

export type NewEntry = Pick<
  Entry,
  'requestIndex' | 'isSplit' | 'resolved' | 'quantity' | 'appliedDiscounts'
>;

export function createEntry(
  entry: NewEntry,
  ratesOf: (guids: readonly string[]) => TaxRate[],
): Entry {
  const { resolved } = entry;
  const quantity = decimal(resolved.isVoided ? 0 : entry.quantity);
  const amountOf = (unitMinor: number) => scale(BigInt(unitMinor), quantity);
  const guestMinor = amountOf(resolved.unitMinor);
  const [first, ...others] = resolved.taxLines.map(({ unitMinor, taxRates }) => ({
    amount: amountOf(unitMinor),
    rates: ratesOf(taxRates),
  }));
  // Weights are rounded, so the line of the item is what the others leave.
  const rest = others.reduce((left, { amount }) => left - amount, guestMinor);
  const lines = first ? [{ ...first, amount: rest }, ...others] : [];
  return { ...entry, guestMinor, lines, discountMinor: 0n, discounts: [] };
}

export function leftOf({ guestMinor, discountMinor }: Entry): bigint {
  return guestMinor - discountMinor;
}

/** What is taxed of an entry after a discount, which is shared to its lines (ORD-37). */
function linesAfter({ lines }: Entry, discountMinor: bigint): Entry['lines'] {
  if (discountMinor === 0n) return lines;
  const weights = lines.map(({ amount }) => fraction(amount > 0n ? amount : 0n));
  const shares = share(discountMinor, weights);
  return lines.map((line, index) => ({ ...line, amount: line.amount - (shares[index] ?? 0n) }));
}

export function taxablesOf(entry: Entry): Taxable[] {
  return linesAfter(entry, entry.discountMinor).flatMap(({ amount, rates }) =>
    rates.map((rate) => ({ amount, rate, ...manner(entry) })),
  );
}

export function taxesInside(entry: Entry, discountMinor: bigint, exponent: number): Tax[] {
  return linesAfter(entry, discountMinor).flatMap(({ amount, rates }) =>
    includedTaxes(
      amount,
      rates.map((rate) => ({ rate, ...manner(entry) })),
      exponent,
    ),
  );
}

/** The price after a discount, without included tax. */
export function netOf(entry: Entry, discountMinor: bigint, exponent: number): bigint {
  const left = entry.guestMinor - discountMinor;
  if (!entry.resolved.isTaxIncluded) return left;
  return left - sumOfTaxes(taxesInside(entry, discountMinor, exponent));
}

function manner({ resolved, quantity }: Entry): { count: Fraction; isTakeOut: boolean } {
  const count = resolved.isVoided ? 0 : quantity;
  return {
    count: resolved.isMeasured && count > 0 ? ONE : decimal(count),
    isTakeOut: resolved.isTakeOut,
  };
}
