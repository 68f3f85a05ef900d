import { Big } from 'big.js';

/** An amount in minor units, or what is wrong with the number. */
export type AmountReading = { readonly amountMinor: number } | { readonly fault: string };

/** The largest amount in minor units: field 4 of ISO 8583 has twelve digits. */
export const MAX_AMOUNT_MINOR = 999_999_999_999;

/** How far a number may be off a minor unit and still be float noise (PAY-6). */
const FLOAT_NOISE = '1e-6';

/** The currencies of ISO 4217 that do not have two decimals. */
const decimalsByCurrency: Readonly<Record<string, number>> = {
  ...decimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...decimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...decimals(4, 'CLF UYW'),
};

function decimals(count: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(' ').map((currency) => [currency, count]));
}

/** The decimals of a currency's minor unit (ISO 4217): 2 for USD, 0 for JPY, 3 for KWD. */
export function minorUnitDecimals(currencyCode: string): number {
  return decimalsByCurrency[currencyCode] ?? 2;
}

/**
 * Reads a number of currency units from the wire as integer minor units (PAY-6). The number's shortest
 * decimal form is what the caller wrote: 0.07 is 7 cents and not 7.000000000000001. A number that
 * lies off a minor unit by more than float noise (1e-6 of it), is negative, or has more than twelve
 * digits of minor units is a fault, told in a sentence without subject.
 */
export function readAmount(value: number, currencyCode: string): AmountReading {
  if (!Number.isFinite(value)) return { fault: 'must be a finite number' };
  if (value < 0) return { fault: 'must not be negative' };
  const count = minorUnitDecimals(currencyCode);
  const nearest = Math.round(value * 10 ** count);
  // No two amounts of up to 15 digits have the same nearest double: the caller wrote this one.
  if (nearest <= MAX_AMOUNT_MINOR && value === nearest / 10 ** count) {
    return { amountMinor: Math.abs(nearest) };
  }
  const exact = new Big(value).times(new Big(10).pow(count));
  const whole = exact.round(0, Big.roundHalfEven);
  if (whole.gt(MAX_AMOUNT_MINOR)) {
    return { fault: `must not be over ${amountOnWire(MAX_AMOUNT_MINOR, currencyCode)}` };
  }
  if (exact.minus(whole).abs().gt(FLOAT_NOISE)) {
    return { fault: `must have at most ${count} decimals, as ${currencyCode} has` };
  }
  return { amountMinor: Math.abs(whole.toNumber()) };
}

/** The number of currency units that stands on the wire for integer minor units (PAY-6). */
export function amountOnWire(amountMinor: number, currencyCode: string): number {
  // Both numbers are exact, so the quotient is the double that is nearest to the amount.
  return amountMinor / 10 ** minorUnitDecimals(currencyCode);
}
