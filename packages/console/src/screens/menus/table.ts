/** Tables as people make them: runs in a worker. */

/** Why the value of a cell is not known. */
interface CellFault {
  readonly fault: 'CELL_ERROR' | 'FORMULA_EMPTY';
}

export type Cell = string | number | CellFault;

export interface Row {
  /** As the person counts. */
  readonly number: number;
  readonly cells: readonly Cell[];
  /** Whether a cell of the row above reaches into it. */
  readonly isContinued?: boolean;
}

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly Row[];
}

/** Null without a row below the headings. */
export function tableOf(given: readonly Row[]): Table | null {
  const rows = given.filter(({ cells }) => cells.some(isFilled));
  // A title above the headings says one thing, however many cells it has.
  const first = Math.max(
    0,
    rows.findIndex(({ cells }) => textsOf(cells).length > 1),
  );
  let last = first;
  while (rows[last + 1]?.isContinued) last += 1;
  const heads = rows.slice(first, last + 1);
  const body = rows.slice(last + 1);
  if (body.length === 0) return null;
  // A reduction: there may be more rows than a call has arguments.
  const width = rows
    .slice(first)
    .reduce((most, { cells }) => Math.max(most, cells.findLastIndex(isFilled) + 1), 0);
  const headings = Array.from({ length: width }, (_, column) =>
    textsOf(heads.map(({ cells }) => cells[column] ?? '')).join(' '),
  );
  return { headings, rows: body };
}

export function textOf(cell: Cell | undefined): string {
  if (cell === undefined || typeof cell === 'object') return '';
  return String(cell).trim();
}

/** Each once. */
function textsOf(cells: readonly Cell[]): readonly string[] {
  return [...new Set(cells.map(textOf))].filter((text) => text !== '');
}

function isFilled(cell: Cell): boolean {
  return typeof cell === 'object' || textOf(cell) !== '';
}
