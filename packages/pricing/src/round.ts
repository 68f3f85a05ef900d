import { decimal, type Fraction, fraction, times } from './fraction.ts';
import type { Rounding } from './types.ts';

/** Rounds to a whole number of minor units. Signs do not matter: UP is away from zero. */
export function round({ numerator, denominator }: Fraction, rounding: Rounding): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const down = size / denominator;
  const rest = size % denominator;
  const rounded = goesUp(down, 2n * rest - denominator, rest, rounding) ? down + 1n : down;
  return numerator < 0n ? -rounded : rounded;
}

function goesUp(down: bigint, beyondHalf: bigint, rest: bigint, rounding: Rounding): boolean {
  switch (rounding) {
    case 'HALF_UP':
      return beyondHalf >= 0n;
    case 'HALF_EVEN':
      return beyondHalf > 0n || (beyondHalf === 0n && down % 2n === 1n);
    case 'ALWAYS_UP':
      return rest > 0n;
    case 'ALWAYS_DOWN':
      return false;
  }
}

/** An amount in currency units as minor units. */
export function toMinor(amount: number, currencyExponent: number): bigint {
  const unit = fraction(10n ** BigInt(currencyExponent));
  return round(times(decimal(amount), unit), 'HALF_UP');
}

/** Rounds as prices are rounded (ORD-25). */
export function scale(price: bigint, factor: Fraction): bigint {
  return round(times(fraction(price), factor), 'HALF_UP');
}
