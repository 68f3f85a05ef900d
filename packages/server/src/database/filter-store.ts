import type { Sql } from './database.ts';

/**
 * A filter of a list. Without a wanted value, the statement lacks the condition: with `$1 is null
 * or …` in it, PostgreSQL could use no index.
 */
export function only<Value>(
  sql: Sql,
  wanted: Value | null | undefined,
  condition: (wanted: Value) => ReturnType<Sql>,
): ReturnType<Sql> {
  return wanted === undefined || wanted === null ? sql`` : sql`and ${condition(wanted)}`;
}
