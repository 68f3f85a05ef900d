import type { Sql } from '../db/database.ts';

/**
 * Counts an attempt under a key before it is judged, so that attempts at once count each other, and
 * gives how many there were in its quarter of an hour, this one included. What began before `since`
 * is over: a new count begins, however often somebody tried.
 */
export async function insertAttempt(
  sql: Sql,
  key: string,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<number> {
  const [row] = await sql<[{ attempts: number }]>`
    insert into log_in_attempt as known (key, attempts, began_at) values (${key}, 1, ${now})
    on conflict (key) do update
    set attempts = case when known.began_at <= ${since} then 1 else known.attempts + 1 end,
      began_at = case when known.began_at <= ${since} then excluded.began_at
        else known.began_at end
    returning attempts`;
  return row.attempts;
}

/** Forgets the attempts under a key: whoever knows the password is no stranger. */
export async function deleteAttempts(sql: Sql, key: string): Promise<void> {
  await sql`delete from log_in_attempt where key = ${key}`;
}

/** Takes one attempt back from the count of a key. */
export async function updateAttemptForgiven(sql: Sql, key: string): Promise<void> {
  await sql`update log_in_attempt set attempts = attempts - 1 where key = ${key} and attempts > 1`;
}

/** Forgets the attempts of counts that began before an instant. */
export async function deleteOldAttempts(sql: Sql, before: Date): Promise<void> {
  await sql`delete from log_in_attempt where began_at < ${before}`;
}
