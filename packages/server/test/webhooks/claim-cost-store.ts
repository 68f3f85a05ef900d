import type { Sql } from '../../src/database/database.ts';

/** How many rows of deliveries the transaction has read so far. */
export async function findRowsRead(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::integer as count
    from pg_stat_xact_user_tables where relname = 'webhook_delivery'`;
  return row.count;
}
