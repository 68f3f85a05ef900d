import type { Sql } from '../../src/database/database.ts';

/** What a superuser does to the audit log, who also switches the keys off meanwhile. */
export async function tamper(sql: Sql, statement: string): Promise<void> {
  await sql.unsafe(`begin; set local session_replication_role = replica; ${statement}; commit`);
}

/** The entries in the order of the chain. */
export async function listSealed(
  sql: Sql,
): Promise<{ readonly position: number; readonly guid: string; readonly hash: string }[]> {
  return await sql`
    select position, entry_guid as guid, encode(hash, 'hex') as hash
    from audit_link order by position`;
}

/** How many entries wait for their link. */
export async function findUnsealedCount(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from audit_unsealed`;
  return row?.count ?? 0;
}

/** The names of the columns of the entries, but for what is computed from them. */
export async function listEntryColumns(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = 'audit_entry' and is_generated = 'NEVER'`;
  return rows.map(({ name }) => name);
}
