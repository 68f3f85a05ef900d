import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../database/database.ts';
import type { Stamp, Subject } from '../freshness/freshness.ts';

/** What the statement that decides on access also reads, so that a cold read is one statement. */
export interface Along {
  /** The answer's key in the cache. If it is cached, nothing is read along. */
  readonly answerKey: string;
  readonly subjects: readonly Subject[];
  /** A column of type text. */
  readonly column: (sql: Sql) => Statement<readonly unknown[]>;
}

export interface ReadAlong {
  readonly answerKey: string;
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

/** The handler gets what was read along in `request.along`, unless the access was cached. */
export function readingAlong<Handler extends object>(
  choose: ChooseAlong,
  handler: Handler,
): Handler {
  choices.set(handler, choose);
  return handler;
}

export const alongOf = (handler: object, request: FirstRead): Along | null =>
  choices.get(handler)?.(request) ?? null;
