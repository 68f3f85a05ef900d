import { fraction } from './fraction.ts';
import { round, toMinor } from './round.ts';
import type { TaxTableRow } from './types.ts';

/**
 * The tax of an amount by a table (ORD-40). Above the table its pattern rows go on: each span of
 * the pattern adds the same step.
 */
export function lookUpTax(amount: bigint, table: readonly TaxTableRow[], exponent: number): bigint {
  const rows = table.map(({ start, end, tax, pattern }) => ({
    start: toMinor(start, exponent),
    end: toMinor(end, exponent),
    pattern,
    tax: toMinor(tax, exponent),
  }));
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || amount < first.start) return 0n;
  const row = rows.find(({ end }) => amount <= end);
  if (row) return row.tax;
  const patternAt = rows.findIndex(({ pattern }) => pattern);
  const patternStart = rows[patternAt];
  if (!patternStart) return last.tax;
  const span = last.end - patternStart.start + 1n;
  const step = last.tax - (rows[patternAt - 1]?.tax ?? 0n);
  const spans = round(fraction(amount - last.end, span), 'ALWAYS_UP');
  return lookUpTax(amount - spans * span, table, exponent) + spans * step;
}
