import type { Sql } from './sql.ts';

/** Reads how many connections the server allows to roles that are not superusers. */
export async function findConnectionLimit(sql: Sql): Promise<number> {
  const [row] = await sql<[{ limit: number }]>`
    select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as limit`;
  return row.limit;
}
