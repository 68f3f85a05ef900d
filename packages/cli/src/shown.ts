import type { CommandFailure } from './exit-codes.ts';
import { block, type Columns, type Look, renderTable } from './table.ts';
import { printable } from './terminal.ts';

export interface Shown {
  readonly json: unknown;
  /** For people; empty where there is nothing to see. */
  readonly text: (look: Look) => string;
  /** What standard error says beside it. */
  readonly notes?: readonly string[];
  /** What the command ends with all the same. */
  readonly failure?: CommandFailure;
}

export type { Columns } from './table.ts';

export const DEFAULT_LIMIT = 50;
/** Ten pages are within the request budget of a second. */
export const GREATEST_LIMIT = 2_000;

/** Whether a list goes on, and the options that make it shorter. */
interface Page {
  readonly hasMore: boolean;
  readonly narrowedBy?: readonly string[];
}

export function rows<Row>(
  columns: Columns<Row>,
  results: readonly Row[],
  empty: string,
  page: Page = { hasMore: false },
): Shown {
  const isCut = page.hasMore && results.length >= DEFAULT_LIMIT;
  const notes = isCut
    ? [`There are more than ${results.length}${wayOn(results.length, page)}`]
    : [];
  return {
    json: results,
    notes: results.length === 0 ? [empty] : notes,
    text: (look) => (results.length === 0 ? '' : renderTable(columns, results, look)),
  };
}

function wayOn(count: number, { narrowedBy = [] }: Page): string {
  if (count < GREATEST_LIMIT) return ': use --limit.';
  if (narrowedBy.length === 0) return ', the most that --limit shows.';
  return `, the most that --limit shows: narrow the list with ${narrowedBy.join(', ')}.`;
}

export function row<Row>(columns: Columns<Row>, item: Row): Shown {
  return { ...rows(columns, [item], ''), json: item };
}

/** One row as a block of lines, however wide the terminal is. */
export function details<Row>(columns: Columns<Row>, row: Row): Shown {
  const text = (look: Look) =>
    renderTable(columns, [row], { ...look, width: Math.min(look.width, 80) });
  return { json: row, text };
}

/** Every field of a resource by its path, as `--set` takes it. */
export function fields(resource: unknown): Shown {
  return lines(resource, leavesOf(resource));
}

/** A resource as lines with titles; lines without text are left out. */
export function lines(
  resource: unknown,
  leaves: readonly (readonly [title: string, text: string])[],
): Shown {
  const titles = leaves.map(([title]) => title);
  const cells = leaves.map(([, text]) => printable(text));
  return { json: resource, text: (look) => block(titles, cells, look) };
}

export function said(resource: unknown, sentence: string, notes: readonly string[] = []): Shown {
  return { json: resource, notes, text: () => `${printable(sentence)}\n` };
}

export function credentials(
  issued: { readonly client: { readonly clientId: string }; readonly clientSecret: string },
  sentence: string,
): Shown {
  const { client, clientSecret } = issued;
  return said(
    issued,
    `${sentence} The secret is shown only once:\n` +
      `  clientId      ${client.clientId}\n  clientSecret  ${clientSecret}`,
  );
}

/** A count with its noun: `1 restaurant`, `2 restaurants`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** An amount with its currency; empty for none. */
export function sumText(amount: number | null, currency: string): string {
  return amount === null ? '' : `${amountText(amount, currency)} ${currency}`;
}

/** As many decimals as the currency has. */
export function amountText(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return amount.toFixed(format.resolvedOptions().maximumFractionDigits);
}

/** A value of a field as text; a dash for none. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function leavesOf(value: unknown, path = ''): (readonly [path: string, text: string])[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, own]) =>
      leavesOf(own, path === '' ? name : `${path}.${name}`),
    );
  }
  if (value.length === 0) return [];
  if (value.every((item) => typeof item !== 'object')) return [[path, value.join(', ')]];
  return value.flatMap((item, at) => leavesOf(item, `${path}[${at}]`));
}
