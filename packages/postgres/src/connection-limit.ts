import type { Sql } from './sql.ts';

/** How many connections the server gives to those who are not its superuser. */
export async function findConnectionLimit(sql: Sql): Promise<number> {
  const [row] = await sql<[{ limit: number }]>`
    select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as limit`;
  return row.limit;
}
