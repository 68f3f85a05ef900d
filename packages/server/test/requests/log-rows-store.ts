import type { Sql } from '../../src/database/database.ts';

/** Empties the log of requests. */
export async function deleteAllRequests(sql: Sql): Promise<void> {
  await sql`delete from request_log`;
}

/** Every row of the log of requests as text. */
export async function listLoggedText(
  sql: Sql,
): Promise<{ readonly operation: string | null; readonly text: string }[]> {
  return await sql`select operation, r::text as text from request_log r`;
}
