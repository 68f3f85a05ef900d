import {
  compare,
  dividedBy,
  type Fraction,
  floor,
  fraction,
  ONE,
  plus,
  times,
  ZERO,
} from './fraction.ts';

/**
 * Splits a total in proportion to the weights (ORD-25): each share is rounded down, and what is
 * left goes unit by unit to the largest fractions, the first of equal ones first. Without any
 * weight, all share alike.
 */
export function share(total: bigint, weights: readonly Fraction[]): bigint[] {
  const sum = weights.reduce(plus, ZERO);
  if (sum.numerator === 0n)
    return weights.length === 0
      ? []
      : share(
          total,
          weights.map(() => ONE),
        );
  const unit = dividedBy(fraction(total), sum);
  const exact = weights.map((weight) => times(weight, unit));
  const shares = exact.map(floor);
  const rests = exact.map((one, index) => ({
    index,
    rest: plus(one, fraction(-(shares[index] ?? 0n))),
  }));
  // The sort is stable, which keeps the order of equal fractions.
  rests.sort((a, b) => compare(b.rest, a.rest));
  const left = Number(total - shares.reduce((a, b) => a + b, 0n));
  for (const { index } of rests.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}
