import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../database/database.ts';
import type { Stamp, Subject } from '../freshness/freshness.ts';

/** What a read wants of the statement that decides on access, so that a cold read is one statement. */
export interface Along {
  /** Of the answer: if it is remembered, nothing is read along. */
  readonly answerKey: string;
  readonly subjects: readonly Subject[];
  /** A column with one text. */
  readonly column: (sql: Sql) => Statement<readonly unknown[]>;
}

export interface ReadAlong {
  readonly text: string;
  readonly stamp: Stamp;
}

export interface FirstRead {
  readonly restaurantGuid: string;
  readonly sentQuery: Readonly<Record<string, string | undefined>>;
}

/** Null if the read needs a statement of its own. */
type ChooseAlong = (request: FirstRead) => Along | null;

const choices = new WeakMap<object, ChooseAlong>();

/** What is read along is in the request, unless the access is remembered. */
export function readingAlong<Handler extends object>(
  choose: ChooseAlong,
  handler: Handler,
): Handler {
  choices.set(handler, choose);
  return handler;
}

export const alongOf = (handler: object, request: FirstRead): Along | null =>
  choices.get(handler)?.(request) ?? null;
