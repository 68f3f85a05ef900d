import type { Sql } from '../database/database.ts';

export type ClockMode = 'RUNNING' | 'FROZEN';

export interface ClockRow {
  readonly mode: ClockMode;
  /** How far a running clock is ahead of real time; may be negative. */
  readonly offsetMs: number;
  readonly frozenAt: Date | null;
  readonly version: number;
  readonly mover: string | null;
  readonly moverExpiresAt: Date | null;
}

export async function findClock(sql: Sql): Promise<ClockRow> {
  const [row] = await sql<ClockRow[]>`
    select mode, offset_ms::float8 as "offsetMs", frozen_at as "frozenAt", version, mover,
      mover_expires_at as "moverExpiresAt"
    from environment_clock where id = 1`;
  if (!row) throw new Error('the database has no clock: its environment_clock row is missing');
  return row;
}

/** Returns false when `next` isn't the following version: another process was faster. */
export async function updateClock(sql: Sql, next: ClockRow): Promise<boolean> {
  const result = await sql`
    update environment_clock
    set mode = ${next.mode}, offset_ms = ${next.offsetMs}, frozen_at = ${next.frozenAt},
      version = ${next.version}, mover = ${next.mover}, mover_expires_at = ${next.moverExpiresAt}
    where id = 1 and version = ${next.version - 1}`;
  return result.count === 1;
}

export async function updateMoverLease(sql: Sql, mover: string, expiresAt: Date): Promise<boolean> {
  const result = await sql`
    update environment_clock set mover_expires_at = ${expiresAt} where id = 1 and mover = ${mover}`;
  return result.count === 1;
}
