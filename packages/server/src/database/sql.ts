import {
  type Sql as PlainSql,
  type Row,
  type Rows,
  type SqlTag,
  type SqlValue,
  Statement,
} from '@servery/postgres/sql.ts';
import type { Subject } from '../freshness/subjects.ts';

/** The SQL tag of stores; it invalidates what processes remember of the rows that it changes. */
export interface Sql extends PlainSql {
  /**
   * The tag of a statement that changes these subjects: with its COMMIT, no process uses what it
   * remembers of them any more. Outside of a transaction it gets its own.
   */
  touching(subjects: Touched): SqlTag;
}

/** The subjects that a statement changes, or how to find them in the rows of its answer. */
export type Touched = readonly Subject[] | ((rows: readonly Row[]) => readonly Subject[]);

/** Sends a statement that changes subjects in a transaction that raises their counters. */
export type SendTouching = (
  touched: Touched,
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
) => Promise<Rows<Row[]>>;

/** Finds the subjects that a statement has changed. */
export function touchedBy(touched: Touched, rows: readonly Row[]): readonly Subject[] {
  return typeof touched === 'function' ? touched(rows) : touched;
}

/** For a connection that cannot raise counters. */
export const refuseTouching: SendTouching = async () => {
  throw new Error('this connection cannot tell others what it changes: take a transaction');
};

/** Adds `touching` to a connection. */
export function withTouching(sql: PlainSql, sendTouching: SendTouching): Sql {
  const touching =
    (touched: Touched): SqlTag =>
    (strings, ...values) =>
      new Statement((_, sent) => sendTouching(touched, strings, sent ?? []), strings, values);
  return Object.assign(sql, { touching });
}
