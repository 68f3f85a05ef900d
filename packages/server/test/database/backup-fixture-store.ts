import { newGuid } from '@servery/support/ids.ts';
import type { Database, Sql } from '../../src/database/database.ts';

/** Names of the tables, but for the ledger of migrations. */
export async function listTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname <> 'schema_migration' order by 1`;
  return rows.map(({ name }) => name);
}

/** Names of the tables that are empty after a crash of PostgreSQL. */
export async function listUnlogged(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'`;
  return rows.map(({ name }) => name);
}

/** Every row of a table as text, computed columns among them, in no order. */
export async function listRows(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql.unsafe(`select (t.*)::text as line from public.${table} t order by 1`);
  return rows.map((row) => String(row.line));
}

/** The states that there are payments in. */
export async function listPaymentStates(sql: Sql): Promise<string[]> {
  const rows = await sql<{ state: string }[]>`select distinct state from payment order by 1`;
  return rows.map(({ state }) => state);
}

/** What a session or a slowed down log-in leaves behind, which no backup may bring back. */
export async function insertVolatile(sql: Sql, at: Date): Promise<void> {
  await sql`
    insert into server_process (process_id, group_id, started_at, seen_at)
    values (${newGuid()}, ${newGuid()}, ${at}, ${at})`;
  await sql`
    insert into rate_budget
      (key, second_index, second_used, held, quarter_hour_used, granted_share, granted_block)
    values ('client', 1, 1, 0, 1, 0, 1)`;
}

/** Two rows that are there together or not at all, in the first and in the last of two tables. */
export async function insertPair(database: Database, at: Date): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`
      insert into partner (guid, name, created_at) values (${newGuid()}, 'pair', ${at})`;
    await sql`
      insert into management_group (guid, name, created_at) values (${newGuid()}, 'pair', ${at})`;
  });
}

/** How many there are of both. */
export async function findPairs(
  sql: Sql,
): Promise<{ readonly one: number; readonly other: number }> {
  const [row] = await sql<[{ one: number; other: number }]>`
    select (select count(*)::int from partner where name = 'pair') as one,
      (select count(*)::int from management_group where name = 'pair') as other`;
  return row;
}

/** A name with all that the texts of COPY write in a way of their own. */
export async function insertStrangeName(sql: Sql, name: string, at: Date): Promise<void> {
  await sql`insert into partner (guid, name, created_at) values (${newGuid()}, ${name}, ${at})`;
}

/** Ends the sessions of that name on the same database, as a fault of the network would. */
export async function deleteSessions(sql: Sql, name: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 30000) from pg_stat_activity
    where datname = current_database() and application_name = ${name}`;
}
