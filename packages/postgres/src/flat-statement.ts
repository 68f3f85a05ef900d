import { type SqlValue, Statement } from './sql.ts';

/** A statement as PostgreSQL gets it: all pieces joined, with `$1`, `$2`, … for their values. */
export interface FlatStatement {
  readonly text: string;
  readonly values: readonly Exclude<SqlValue, Statement<readonly unknown[]>>[];
}

export function flatten(strings: TemplateStringsArray, values: readonly SqlValue[]): FlatStatement {
  const flat: FlatStatement['values'][number][] = [];
  const join = (pieces: TemplateStringsArray, given: readonly SqlValue[]): string => {
    let text = pieces[0] ?? '';
    for (const [index, value] of given.entries()) {
      const isPiece = value instanceof Statement;
      text += isPiece ? join(value.strings, value.values) : `$${flat.push(value)}`;
      text += pieces[index + 1];
    }
    return text;
  };
  return { text: join(strings, values), values: flat };
}
