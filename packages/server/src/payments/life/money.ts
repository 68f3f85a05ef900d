import { currencyClasses, minorUnitDecimals } from '@servery/pricing';
import { Big } from 'big.js';

export type AmountReading = { readonly amountMinor: number } | { readonly fault: string };

/** Field 4 of ISO 8583 has twelve digits. */
export const MAX_AMOUNT_MINOR = 999_999_999_999;

/** How far from a minor unit a number may be and still be float noise (PAY-6). */
const FLOAT_NOISE = '1e-6';

/**
 * Reads the number's shortest decimal form, which is what the caller wrote (PAY-6). A number that
 * is off a minor unit by more than float noise, negative, or too large is a fault, worded without
 * its subject.
 */
export function readAmount(value: number, currencyCode: string): AmountReading {
  if (!Number.isFinite(value)) return { fault: 'must be a finite number' };
  if (value < 0) return { fault: 'must not be negative' };
  const count = minorUnitDecimals(currencyCode);
  const nearest = Math.round(value * 10 ** count);
  // Amounts of up to 15 digits have distinct nearest doubles, so the caller wrote this one.
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

export function amountOnWire(amountMinor: number, currencyCode: string): number {
  // Both numbers are exact, so the quotient is the double nearest to the amount.
  return amountMinor / 10 ** minorUnitDecimals(currencyCode);
}

/** What an amount in currency units is in minor units, for each class of currencies that has it. */
export function minorAmounts(value: number) {
  return currencyClasses.flatMap(({ decimals, ...of }) => {
    const exact = new Big(value).times(new Big(10).pow(decimals));
    const isMinor = exact.eq(exact.round()) && exact.lte(MAX_AMOUNT_MINOR);
    return isMinor ? [{ ...of, amountMinor: exact.toNumber() }] : [];
  });
}
