import type { Sql } from '../database/database.ts';

export async function findWaitingEntries(
  sql: Sql,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const [row] = await sql<[{ count: number; oldest: Date | null }]>`
    select count(*)::int as count, min(e.real_at) as oldest
    from audit_unsealed u join audit_entry e on e.guid = u.entry_guid`;
  return row;
}
