import { addressOf, openDatabase } from './database.ts';
import type { MeasuredPlatform } from './platform.ts';

/** Connections of all servers to the database of a platform, and to others of its PostgreSQL. */
export async function countConnections(platform: MeasuredPlatform): Promise<number> {
  const sql = openDatabase(await addressOf(platform), 1);
  try {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`;
    return row.count;
  } finally {
    await sql.end();
  }
}
