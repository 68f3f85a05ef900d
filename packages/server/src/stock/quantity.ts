const MAX_WHOLE_DIGITS = 12;
const MAX_FRACTION_DIGITS = 4;
const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * The decimal text of a positive quantity, exactly as it is stored: of the doubles' shortest
 * spelling, which is the number that the caller wrote (decisions STK-7). Null when it has more than
 * 12 digits before the point or 4 after it.
 */
export function decimalQuantity(quantity: number): string | null {
  // Exponents appear only outside 1e-6 … 1e21, where the digits are too many in any case.
  const match = PLAIN_DECIMAL.exec(String(quantity));
  const [whole, fraction] = [match?.[1] ?? '', match?.[2] ?? ''];
  const fits = whole.length <= MAX_WHOLE_DIGITS && fraction.length <= MAX_FRACTION_DIGITS;
  return match && fits ? match[0] : null;
}
