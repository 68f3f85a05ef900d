import { randomInt } from 'node:crypto';

/**
 * A card number that passes the Luhn check: `start`, digits that `nth` makes (at random when it is
 * absent), and the check digit, `length` digits in all.
 */
export function cardNumberOf(start: string, nth?: number, length = 16): string {
  const missing = length - start.length - 1;
  const random = () => Array.from({ length: missing }, () => randomInt(10)).join('');
  const middle = nth === undefined ? random() : String(nth).padStart(missing, '0');
  const digits = `${start}${middle}`;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
