const MAX_WHOLE_DIGITS = 12;
const MAX_FRACTION_DIGITS = 4;
const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * STK-7: from the double's shortest spelling, which is what the caller wrote. Null with more than
 * 12 digits before the point or 4 after it.
 */
export function decimalQuantity(quantity: number): string | null {
  // Exponents appear only outside 1e-6 … 1e21, which has too many digits anyway.
  const match = PLAIN_DECIMAL.exec(String(quantity));
  const [whole, fraction] = [match?.[1] ?? '', match?.[2] ?? ''];
  const fits = whole.length <= MAX_WHOLE_DIGITS && fraction.length <= MAX_FRACTION_DIGITS;
  return match && fits ? match[0] : null;
}
