import {
  type Sql as PlainSql,
  type Row,
  type Rows,
  type SqlTag,
  type SqlValue,
  Statement,
} from '@servery/postgres/sql.ts';
import type { Subject } from '../freshness/subjects.ts';

/** What stores speak SQL through; what it changes is told to whoever remembers it. */
export interface Sql extends PlainSql {
  /**
   * The tag of a statement that changes these subjects, or those that it answers: with its COMMIT
   * no process goes on with what it remembers of them. Outside of a transaction it gets its own.
   */
  touching(subjects: Touched): SqlTag;
}

/** What a statement changes; where only its answer tells, a function of the answer's rows. */
export type Touched = readonly Subject[] | ((rows: readonly Row[]) => readonly Subject[]);

/** Sends a statement that changes subjects, in a transaction that raises their counters. */
export type SendTouching = (
  touched: Touched,
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
) => Promise<Rows<Row[]>>;

/** The subjects that a statement has changed. */
export function touchedBy(touched: Touched, rows: readonly Row[]): readonly Subject[] {
  return typeof touched === 'function' ? touched(rows) : touched;
}

/** For a connection that cannot tell others what it changes. */
export const refuseTouching: SendTouching = async () => {
  throw new Error('this connection cannot tell others what it changes: take a transaction');
};

/** Adds `touching` to a connection of its own, sent through `sendTouching`. */
export function withTouching(sql: PlainSql, sendTouching: SendTouching): Sql {
  const touching =
    (touched: Touched): SqlTag =>
    (strings, ...values) =>
      new Statement((_, sent) => sendTouching(touched, strings, sent ?? []), strings, values);
  return Object.assign(sql, { touching });
}
