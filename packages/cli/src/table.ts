import { type Paint, plain, printable } from './terminal.ts';
import { padColumns, textWidth } from './text-width.ts';

/** A column of a table for people. */
export interface Column<Row> {
  readonly title: string;
  /** The text of the cell; empty where there is nothing to say. */
  readonly cell: (row: Row) => string;
  /** True for sentences, which may be broken over several lines. */
  readonly breaks?: boolean;
}

const GAP = 2;
/** A column of sentences that is narrower than this is no pleasure to read. */
const NARROWEST = 12;

/**
 * The rows as text for people, with a line feed at the end, in lines of at most `width` characters:
 * as a table with sentences broken where that is enough, else each row as a block of lines. What
 * has no blank in it, such as an identifier, is never broken, so that it can be copied. Titles are
 * painted with `paint`.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  paint: Paint = plain,
): string {
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  const used = columns.map((_, at) => cells.some((row) => row[at] !== ''));
  const keep = <Item>(items: readonly Item[]) => items.filter((_, at) => used[at]);
  const widths = fit(keep(columns), [keep(titles), ...cells.map(keep)], width);
  if (!widths) return cells.map((row) => block(titles, row, width, paint)).join('\n');
  const head = line(keep(titles), widths).replace(/\n$/, '');
  return `${paint(head)}\n${cells.map((row) => line(keep(row), widths)).join('')}`;
}

/** The widths of the columns, or null when the table would be wider than `width`. */
function fit<Row>(
  columns: readonly Column<Row>[],
  rows: readonly string[][],
  width: number,
): number[] | null {
  const widest = (at: number, length: (text: string) => number) =>
    Math.max(...rows.map((row) => length(row[at] ?? '')));
  const widths = columns.map((_, at) => widest(at, textWidth));
  const least = columns.map(({ breaks }, at) =>
    breaks ? Math.max(NARROWEST, widest(at, longestWord)) : Number.POSITIVE_INFINITY,
  );
  let excess = sum(widths) + GAP * (columns.length - 1) - width;
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
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

/** A row in lines, each with a title before it. */
export function block(
  titles: readonly string[],
  row: readonly string[],
  width: number,
  paint: Paint = plain,
): string {
  const margin = Math.max(...titles.map((title) => title.length)) + GAP;
  const titleOf = (title: string) =>
    title === '' ? ' '.repeat(margin) : paint(title) + ' '.repeat(margin - title.length);
  return row
    .flatMap((text, at) =>
      text === ''
        ? []
        : breakLines(text, width - margin).map(
            (part, index) => `${titleOf(index === 0 ? (titles[at] ?? '') : '')}${part}\n`,
          ),
    )
    .join('');
}

/** The text in lines of at most `width` characters, where its words allow it. */
function breakLines(text: string, width: number): string[] {
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
