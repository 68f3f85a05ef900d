import { type Paint, printable } from './terminal.ts';
import { padColumns, textWidth } from './text-width.ts';

/** A cell as text: nothing for what is not there, and the title of its column for what is true. */
type Cell = string | number | boolean | null | undefined;

/** The columns of a table by title: a field of the row, or what is made of the row. */
export type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>;

export interface Look {
  readonly width: number;
  readonly paint: Paint;
}

const GAP = 2;
/** A narrower column of sentences is hard to read. */
const NARROWEST = 12;

/**
 * Rows for people, with a line feed at the end: a table whose cells wrap between words, or a block
 * of lines for each row where that is too wide. Words are never broken, so that ids can be copied.
 */
export function renderTable<Row>(columns: Columns<Row>, rows: readonly Row[], look: Look): string {
  const titles = Object.keys(columns);
  const cells = rows.map((row) => titles.map((title) => cellOf(columns, row, title)));
  const used = titles.map((_, at) => cells.some((row) => row[at] !== ''));
  const keep = (items: readonly string[]) => items.filter((_, at) => used[at]);
  const [head = [], ...body] = [titles, ...cells].map(keep);
  const widths = fit([head, ...body], look.width);
  if (!widths) return cells.map((row) => block(titles, row, look)).join('\n');
  const shown = line(head, widths).replace(/\n$/, '');
  return `${look.paint(shown)}\n${body.map((row) => line(row, widths)).join('')}`;
}

function cellOf<Row>(columns: Columns<Row>, row: Row, title: string): string {
  const column = columns[title];
  const value = typeof column === 'function' ? column(row) : column && row[column];
  if (value === null || value === undefined || value === false) return '';
  return printable(value === true ? title : String(value));
}

/** The widths of the columns, or null when the table would be wider than `width`. */
function fit(rows: readonly string[][], width: number): number[] | null {
  const widest = (at: number, length: (text: string) => number) =>
    Math.max(...rows.map((row) => length(row[at] ?? '')));
  const columns = rows[0] ?? [];
  const widths = columns.map((_, at) => widest(at, textWidth));
  const least = columns.map((_, at) => Math.max(NARROWEST, widest(at, longestWord)));
  let excess = widths.reduce((sum, own) => sum + own, GAP * (widths.length - 1)) - width;
  while (excess > 0) {
    const spare = widths.map((own, at) => (own > (least[at] ?? own) ? own : 0));
    const at = spare.indexOf(Math.max(...spare));
    if (!spare[at]) return null;
    widths[at] = spare[at] - 1;
    excess -= 1;
  }
  return widths;
}

function longestWord(text: string): number {
  return Math.max(...text.split(/[ \n]/).map(textWidth));
}

function line(row: readonly string[], widths: readonly number[]): string {
  const broken = row.map((text, at) => breakLines(text, widths[at] ?? textWidth(text)));
  const height = Math.max(...broken.map((lines) => lines.length));
  let text = '';
  for (let at = 0; at < height; at += 1) {
    const parts = broken.map((lines, column) => padColumns(lines[at] ?? '', widths[column] ?? 0));
    text += `${parts.join(' '.repeat(GAP)).trimEnd()}\n`;
  }
  return text;
}

/** A row in lines, each behind its title; empty cells are left out. */
export function block(
  titles: readonly string[],
  row: readonly string[],
  { width, paint }: Look,
): string {
  const margin = Math.max(...titles.map((title) => title.length)) + GAP;
  const before = (title: string) =>
    (title === '' ? '' : paint(title)) + ' '.repeat(margin - title.length);
  const shown = row.flatMap((text, at) =>
    text === ''
      ? []
      : breakLines(text, width - margin).map(
          (part, index) => `${before(index === 0 ? (titles[at] ?? '') : '')}${part}\n`,
        ),
  );
  return shown.join('');
}

export function breakLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let current = '';
    for (const word of paragraph.split(' ')) {
      if (current !== '' && textWidth(current) + 1 + textWidth(word) > width) {
        lines.push(current);
        current = word;
      } else {
        current = current === '' ? word : `${current} ${word}`;
      }
    }
    lines.push(current);
  }
  return lines;
}
