import { connectDatabase } from '../../packages/postgres/src/database.ts';

/** Of sessions that don't ask for one: the platform must not depend on it. */
export async function setForeignTimeZone(url: string): Promise<void> {
  const { sql, close } = connectDatabase({ url, poolSize: 1 });
  await sql.unsafe("alter database servery set timezone to 'Asia/Kolkata'");
  await close();
}

export async function countConnections(url: string): Promise<number> {
  const { sql, close } = connectDatabase({ url, poolSize: 1 });
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = 'servery' and pid <> pg_backend_pid()`;
  await close();
  return row.count;
}
