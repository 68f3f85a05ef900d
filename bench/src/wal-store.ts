import type postgres from 'postgres';

/** How often the write-ahead log was flushed to disk: once for each fsync. */
export async function countFlushes(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<[{ flushes: number }]>`
    select sum(fsyncs)::float8 as flushes from pg_stat_io where object = 'wal'`;
  return row.flushes;
}
