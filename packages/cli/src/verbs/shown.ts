import { type RemoteDeps, showTable, widthOf } from '../session.ts';
import { block, type Column } from '../table.ts';
import { paintOf, printable } from '../terminal.ts';
import { moreNotes } from './limit.ts';

/** What a verb gives: for programs and for people. */
export interface Shown {
  /** What the platform answered. */
  readonly json: unknown;
  /** Writes it for people. */
  readonly print: (deps: Pick<RemoteDeps, 'env' | 'terminal'>) => void;
  /** What is said beside it, on standard error. */
  readonly notes?: readonly string[];
  /** What the command ends with, when it is not 0 though all went well. */
  readonly exitCode?: number;
}

/** What was read of a list, and whether there is more. */
export interface Listed<Row> {
  readonly results: readonly Row[];
  readonly hasMore: boolean;
}

/** Rows of a table, or words when there are none. */
export function rows<Row>(
  columns: readonly Column<Row>[],
  { results, hasMore }: Listed<Row>,
  empty: string,
): Shown {
  return {
    json: results,
    print: (deps) => showTable(deps, columns, results, empty),
    notes: moreNotes(hasMore, results.length),
  };
}

/** One resource, as lines: each field of it by its path, as `--set` takes it. */
export function fields(resource: unknown, notes: readonly string[] = []): Shown {
  return lines(resource, leavesOf(resource), notes);
}

/** One resource, as lines with these titles; what is empty is left out. */
export function lines(
  resource: unknown,
  leaves: readonly (readonly [title: string, text: string])[],
  notes: readonly string[] = [],
): Shown {
  return {
    json: resource,
    notes,
    print: ({ env, terminal: { out } }) => {
      const width = widthOf({ env, terminal: { out, err: out } });
      const titles = leaves.map(([path]) => path);
      const cells = leaves.map(([, text]) => printable(text));
      out.write(block(titles, cells, width, paintOf(out, env)));
    },
  };
}

/** One resource and a sentence for people that says what was done. */
export function said(resource: unknown, sentence: string, notes: readonly string[] = []): Shown {
  return {
    json: resource,
    notes,
    print: ({ terminal }) => terminal.out.write(`${printable(sentence)}\n`),
  };
}

/** A credential, which is shown only once. */
export function secretShown(resource: object, sentence: string, clientId: string): Shown {
  const { clientSecret } = resource as { readonly clientSecret: string };
  return said(
    resource,
    `${sentence} The secret is shown only here:\n` +
      `  clientId      ${clientId}\n  clientSecret  ${clientSecret}`,
  );
}

/** Every value that is set, by its path; a list of plain values is one line. */
function leavesOf(value: unknown, path = ''): (readonly [path: string, text: string])[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, own]) =>
      leavesOf(own, path === '' ? name : `${path}.${name}`),
    );
  }
  if (value.length === 0) return [];
  const isPlain = value.every((item) => typeof item !== 'object');
  if (isPlain) return [[path, value.join(', ')]];
  return value.flatMap((item, at) => leavesOf(item, `${path}[${at}]`));
}
