import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';

/** Inserts a partner; gives its GUID. */
export async function insertPartner(sql: Sql, now: Date): Promise<string> {
  const guid = newGuid();
  await sql`insert into partner (guid, name, created_at) values (${guid}, 'Partner', ${now})`;
  return guid;
}

/** A change as the record of changes keeps it. */
export interface EntryRow {
  readonly actor: string;
  readonly operation: string;
  readonly kind: string;
  readonly id: string;
  readonly managementGroupGuid: string | null;
  readonly restaurantGuid: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** The changes of one thing, the oldest first. */
export async function listEntries(sql: Sql, id: string): Promise<EntryRow[]> {
  return await sql<EntryRow[]>`
    select actor, operation, subject_kind as kind, subject_id as id,
      management_group_guid as "managementGroupGuid", restaurant_guid as "restaurantGuid",
      before, after
    from audit_entry where subject_id = ${id} order by real_at, guid`;
}

/** The changes that an operation made, the oldest first. */
export async function listEntriesOf(sql: Sql, operation: string): Promise<EntryRow[]> {
  return await sql<EntryRow[]>`
    select actor, operation, subject_kind as kind, subject_id as id,
      management_group_guid as "managementGroupGuid", restaurant_guid as "restaurantGuid",
      before, after
    from audit_entry where operation = ${operation} order by real_at, guid`;
}

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

/** Lets nobody add to the record of changes until the transaction ends. */
export async function holdEntries(sql: Sql): Promise<void> {
  await sql`lock table audit_entry in share mode`;
}
