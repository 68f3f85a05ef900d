import type { TaxTableRow } from '../../src/index.ts';
import type { Meet } from './selection.ts';

/** ORD-40, with amounts in minor units. */
export function lookUp(
  table: readonly TaxTableRow[],
  amount: bigint,
  minor: (amount: number) => bigint,
  meet: Meet,
): bigint {
  const rows = table.map(({ start, end, tax, pattern }) => ({
    ...{ start: minor(start), end: minor(end), tax: minor(tax), pattern },
  }));
  const taxInTable = (of: bigint) =>
    rows.find(({ start, end }) => start <= of && of <= end)?.tax ?? 0n;
  const last = rows.at(-1);
  if (!last || amount <= last.end) return taxInTable(amount);
  const first = rows.findIndex(({ pattern }) => pattern);
  const pattern = rows[first];
  if (!pattern) {
    meet('tax: table above its end, without');
    return last.tax;
  }
  meet('tax: table above its end, with a pattern');
  const span = last.end - pattern.start + 1n;
  const step = last.tax - (rows[first - 1]?.tax ?? 0n);
  const beyond = amount - last.end;
  const spans = (beyond + span - 1n) / span;
  return taxInTable(amount - spans * span) + spans * step;
}
