import { minorUnitDecimals } from '@servery/pricing/minor-units.ts';
import { InvalidInput } from './errors.ts';

/** No currency has more decimals than this. */
const DECIMALS_AT_MOST = 4;
const TOLERANCE = 1e-6;

/** Throws InvalidInput unless it is an amount of 0 or more in whole minor units. */
export function checkAmount(amount: unknown, field: string, currency: string | undefined): number {
  if (typeof amount !== 'number' || !Number.isFinite(amount)) {
    throw new InvalidInput(field, 'must be a number in currency units, for example 23.5.');
  }
  if (amount < 0) throw new InvalidInput(field, 'must not be negative.');
  const decimals = currency === undefined ? DECIMALS_AT_MOST : minorUnitDecimals(currency);
  const scaled = amount * 10 ** decimals;
  if (Math.abs(scaled - Math.round(scaled)) > TOLERANCE * 10 ** decimals) {
    throw new InvalidInput(field, `must have at most ${decimals} decimals.`);
  }
  return amount;
}
