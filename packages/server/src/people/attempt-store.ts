import type { Sql } from '../database/database.ts';

export interface AttemptCount {
  readonly attempts: number;
  readonly countsUntil: Date;
}

/**
 * Call it before checking the attempt, so that concurrent attempts count each other. The result
 * includes this attempt. Further attempts don't extend `until`.
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

/** The right password shows that they were typing errors. */
export async function deleteAttempts(sql: Sql, key: string): Promise<void> {
  await sql`delete from log_in_attempt where key = ${key}`;
}

export async function updateAttemptForgiven(sql: Sql, key: string): Promise<void> {
  // A count of 0 would start its time at a successful attempt.
  const { count } = await sql`delete from log_in_attempt where key = ${key} and attempts <= 1`;
  if (count > 0) return;
  await sql`update log_in_attempt set attempts = attempts - 1 where key = ${key} and attempts > 1`;
}

export async function deleteEndedAttempts(sql: Sql, now: Date): Promise<void> {
  await sql`delete from log_in_attempt where counts_until <= ${now}`;
}
