import {
  type Sql as PlainSql,
  type Row,
  type Rows,
  type SqlTag,
  type SqlValue,
  Statement,
} from '@servery/postgres/sql.ts';
import type { Subject } from '../freshness/subjects.ts';

export interface Sql extends PlainSql {
  /**
   * With its COMMIT, no process uses what it remembers of these subjects. Outside a transaction it
   * gets its own.
   */
  touching(subjects: Touched): SqlTag;
}

export type Touched = readonly Subject[] | ((rows: readonly Row[]) => readonly Subject[]);

export type SendTouching = (
  touched: Touched,
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
) => Promise<Rows<Row[]>>;

export function touchedBy(touched: Touched, rows: readonly Row[]): readonly Subject[] {
  return typeof touched === 'function' ? touched(rows) : touched;
}

export const refuseTouching: SendTouching = async () => {
  throw new Error('this connection cannot tell others what it changes: take a transaction');
};

export function withTouching(sql: PlainSql, sendTouching: SendTouching): Sql {
  const touching =
    (touched: Touched): SqlTag =>
    (strings, ...values) =>
      new Statement((_, sent) => sendTouching(touched, strings, sent ?? []), strings, values);
  return Object.assign(sql, { touching });
}
