import type { Sql } from '../../src/database/database.ts';

/** How many sessions are stored, live or not. */
export async function countSessions(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from person_session`;
  return row.count;
}

/** How many counts of attempts are stored. */
export async function countAttempts(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from log_in_attempt`;
  return row.count;
}

/** The operators who could run the platform. */
export async function countOperators(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from person_role held
    join person on person.guid = held.person_guid
    where held.role = 'OPERATOR' and person.deactivated_at is null
      and person.password_hash is not null`;
  return row.count;
}

/** Lets nobody add to the audit log until the transaction ends. */
export async function holdEntries(sql: Sql): Promise<void> {
  await sql`lock table audit_entry in share mode`;
}
