import { amountOnWire, readAmount } from '../../payments/life/money.ts';
import type { Part } from './part.ts';

/** ORD-24. */
const MOST_MINOR = 1_000_000_000;

/** Minor units; null if it is absent or faulty. */
export function readMoney<T extends object>(
  part: Part<T>,
  name: keyof T & string,
  currencyCode: string,
): number | null {
  const sent = part.get(name);
  if (sent === undefined) return null;
  const read = readAmount(Number(sent), currencyCode);
  if ('fault' in read) part.fault(read.fault, name);
  else if (read.amountMinor > MOST_MINOR) {
    part.fault(`must not be over ${amountOnWire(MOST_MINOR, currencyCode)}`, name);
  } else return read.amountMinor;
  return null;
}
