import { dsvFormat } from 'd3-dsv';

/** What spreadsheets put between cells, by language. */
const commas = dsvFormat(',');
const formats = [commas, ...[';', '\t', '|'].map((each) => dsvFormat(each))];

/** Rows of cells, blank ones too. The delimiter is the one that divides the first row most. */
export function readCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const [firstLine = ''] = plain.split(/\r?\n|\r/, 1);
  const [best = commas] = formats.toSorted(
    (one, other) => cellCount(other, firstLine) - cellCount(one, firstLine),
  );
  return best.parseRows(plain);
}

function cellCount(format: ReturnType<typeof dsvFormat>, line: string): number {
  return format.parseRows(line)[0]?.length ?? 0;
}

export function writeCsv(rows: readonly (readonly unknown[])[]): string {
  return commas.formatRows(rows.map((row) => row.map(harmless)));
}

/** A name must not become a formula where somebody opens the table. */
function harmless(value: unknown): string {
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(value);
  return isFormula ? `'${value}` : String(value);
}
