import type { Sql } from '../db/database.ts';

/**
 * Counts an attempt under a key before it is judged, so that attempts at once count each other, and
 * gives how many there were since `since`, this one included.
 */
export async function insertFailure(
  sql: Sql,
  key: string,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<number> {
  const [row] = await sql<[{ failures: number }]>`
    insert into log_in_failure as known (key, failures, last_at) values (${key}, 1, ${now})
    on conflict (key) do update
    set failures = case when known.last_at < ${since} then 1 else known.failures + 1 end,
      last_at = excluded.last_at
    returning failures`;
  return row.failures;
}

/** Forgets what failed under a key: whoever knows the password is no stranger. */
export async function deleteFailures(sql: Sql, key: string): Promise<void> {
  await sql`delete from log_in_failure where key = ${key}`;
}

/** Forgets what failed before an instant. */
export async function deleteOldFailures(sql: Sql, before: Date): Promise<void> {
  await sql`delete from log_in_failure where last_at < ${before}`;
}
