import { type Fraction, overOneDenominator } from './fraction.ts';

/**
 * Splits a total in proportion to the weights (ORD-25): each share is rounded down, and what is
 * left goes unit by unit to the largest fractions, the first of equal ones first. Without any
 * weight, all share alike.
 */
export function share(total: bigint, weights: readonly Fraction[]): bigint[] {
  const given = overOneDenominator(weights);
  const sum = sumOf(given);
  const sign = sum < 0n ? -1n : 1n;
  const parts = given.map((part) => (sum === 0n ? 1n : sign * part));
  return splitBy(total, parts);
}

/** The parts add up to more than 0. */
function splitBy(total: bigint, parts: readonly bigint[]): bigint[] {
  const sum = sumOf(parts);
  const exact = parts.map((part, index) => {
    const rest = (((total * part) % sum) + sum) % sum;
    return { index, rest, whole: (total * part - rest) / sum };
  });
  const shares = exact.map(({ whole }) => whole);
  const left = Number(total - sumOf(shares));
  if (left === 0) return shares;
  // The sort is stable, which keeps the order of equal fractions.
  exact.sort((a, b) => Number(b.rest - a.rest));
  for (const { index } of exact.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}
