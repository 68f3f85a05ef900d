import type { Sql } from '../database/database.ts';

/** How many attempts a count holds, and until when. */
export interface AttemptCount {
  readonly attempts: number;
  readonly countsUntil: Date;
}

/**
 * Counts an attempt under a key before it is judged, so that attempts at once count each other, and
 * gives the count, this attempt included. A count that ended by `now` begins anew and holds until
 * `until`, however often somebody tried.
 */
export async function insertAttempt(
  sql: Sql,
  key: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<AttemptCount> {
  const [row] = await sql<[AttemptCount]>`
    insert into log_in_attempt as known (key, attempts, counts_until) values (${key}, 1, ${until})
    on conflict (key) do update
    set attempts = case when known.counts_until <= ${now} then 1 else known.attempts + 1 end,
      counts_until = case when known.counts_until <= ${now} then excluded.counts_until
        else known.counts_until end
    returning attempts, counts_until as "countsUntil"`;
  return row;
}

/** Forgets the attempts under a key: the right password proves that they were mistyped. */
export async function deleteAttempts(sql: Sql, key: string): Promise<void> {
  await sql`delete from log_in_attempt where key = ${key}`;
}

/** Takes one attempt back from the count of a key; a count without attempts is forgotten. */
export async function updateAttemptForgiven(sql: Sql, key: string): Promise<void> {
  // Kept at 0, it would begin its time at an attempt that was right.
  const { count } = await sql`delete from log_in_attempt where key = ${key} and attempts <= 1`;
  if (count > 0) return;
  await sql`update log_in_attempt set attempts = attempts - 1 where key = ${key} and attempts > 1`;
}

/** Forgets the counts that ended by an instant. */
export async function deleteEndedAttempts(sql: Sql, now: Date): Promise<void> {
  await sql`delete from log_in_attempt where counts_until <= ${now}`;
}
