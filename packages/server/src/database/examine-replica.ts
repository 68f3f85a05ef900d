import { connectDatabase } from '@servery/postgres/database.ts';
import type { Sql as PlainSql } from '@servery/postgres/sql.ts';
import { monotonicMs } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import type { Sql } from './database.ts';

export interface ReplicaFacts {
  /** False for a server that takes writes. */
  readonly isReplica: boolean;
  /** Whether it has the environment of the primary. */
  readonly isSameEnvironment: boolean;
  /** How long it took to get what the primary had; null if that takes longer than seconds. */
  readonly lagMs: number | null;
}

export const LONGEST_LAG_MS = 3_000;
const CONNECT_LIMIT_MS = 3_000;
const POLL_MS = 20;

/** False for a server that takes writes. */
export async function isStandby(sql: PlainSql): Promise<boolean> {
  const [row] = await sql<[{ isStandby: boolean }]>`select pg_is_in_recovery() as "isStandby"`;
  return row.isStandby;
}

/** Changes nothing. Throws if the replica does not answer. */
export async function examineReplica(url: string, primary: Sql): Promise<ReplicaFacts> {
  const replica = connectDatabase({ url, poolSize: 1, connectTimeoutMs: CONNECT_LIMIT_MS });
  try {
    const [{ createdAt, position }] = await primary<[{ createdAt: string; position: string }]>`
      select (select created_at::text from environment) as "createdAt",
        pg_current_wal_insert_lsn()::text as position`;
    const startedMs = monotonicMs();
    const isReplica = await isStandby(replica.sql);
    const [{ isSameEnvironment }] = await replica.sql<[{ isSameEnvironment: boolean }]>`
      select exists (select from environment where created_at = ${createdAt}::text::timestamptz)
        as "isSameEnvironment"`;
    if (!isReplica || !isSameEnvironment) return { isReplica, isSameEnvironment, lagMs: null };
    for (;;) {
      const [row] = await replica.sql<[{ isThere: boolean }]>`
        select pg_last_wal_replay_lsn() >= ${position}::text::pg_lsn as "isThere"`;
      const lagMs = Math.round(monotonicMs() - startedMs);
      if (row.isThere) return { isReplica, isSameEnvironment, lagMs };
      if (lagMs > LONGEST_LAG_MS) return { isReplica, isSameEnvironment, lagMs: null };
      await sleep(POLL_MS);
    }
  } finally {
    await replica.close();
  }
}
