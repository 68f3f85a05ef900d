import type { Sql } from '../database/database.ts';
import type { Totals } from './totals.ts';

/** What a process measures when a minute is over. */
export interface Measured {
  readonly name: string;
  readonly memoryBytes: number;
  readonly cpuShare: number;
  readonly eventLoopLagP99Ms: number;
  readonly connections: number;
  readonly roundTripMs: number;
  readonly databaseBytes: number;
}

export interface MinuteRow {
  readonly minute: Date;
  readonly processId: string;
  readonly version: string;
  readonly startedAt: Date;
  /** The process ended in this minute. */
  readonly isLast: boolean;
  readonly totals: Totals;
  readonly measured: Measured;
}

/**
 * Also deletes what is older than `keptSince`. Skips rows that another process is deleting. A clock
 * that went back may come to a minute again, which is lost then.
 */
export async function insertMinute(sql: Sql, row: MinuteRow, keptSince: Date): Promise<void> {
  await sql`
    with past as (
      delete from health_minute where (minute, process_id) in (
        select minute, process_id from health_minute where minute < ${keptSince}
        for update skip locked))
    insert into health_minute (minute, process_id, version, started_at, is_last, totals, measured)
    values (${row.minute}, ${row.processId}, ${row.version}, ${row.startedAt}, ${row.isLast},
      ${sql.json(row.totals)}, ${sql.json({ ...row.measured })})
    on conflict do nothing`;
}

export async function listMinutes(sql: Sql, from: Date, to: Date): Promise<MinuteRow[]> {
  return await sql<MinuteRow[]>`
    select minute, process_id as "processId", version, started_at as "startedAt",
      is_last as "isLast", totals, measured
    from health_minute where minute >= ${from} and minute < ${to}
    order by minute, started_at, process_id`;
}

/** For the time that it takes. */
export async function findNothing(sql: Sql): Promise<void> {
  await sql`select`;
}

export async function findDatabaseSize(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`
    select pg_database_size(current_database()) as bytes`;
  return row.bytes;
}
