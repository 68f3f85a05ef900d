import type { Sql } from '../database/database.ts';

/** Whether the time of an environment goes by. */
export type ClockMode = 'RUNNING' | 'FROZEN';

/** How the clock of the environment stands, for all processes on the database. */
export interface ClockRow {
  readonly mode: ClockMode;
  /** How far a running clock is ahead of real time, in milliseconds; it may be negative. */
  readonly offsetMs: number;
  /** Where a clock stands that is frozen or being moved; null when it runs. */
  readonly frozenAt: Date | null;
  readonly version: number;
  /** Who moves it, and until when in real time that is believed. */
  readonly mover: string | null;
  readonly moverExpiresAt: Date | null;
}

/** Reads how the clock stands. Throws when its row was removed, which nothing does. */
export async function findClock(sql: Sql): Promise<ClockRow> {
  const [row] = await sql<ClockRow[]>`
    select mode, offset_ms::float8 as "offsetMs", frozen_at as "frozenAt", version, mover,
      mover_expires_at as "moverExpiresAt"
    from environment_clock where id = 1`;
  if (!row) throw new Error('the database has no clock: its environment_clock row is missing');
  return row;
}

/** Sets the clock to `next` when it is the version before that; false when somebody was faster. */
export async function updateClock(sql: Sql, next: ClockRow): Promise<boolean> {
  const result = await sql`
    update environment_clock
    set mode = ${next.mode}, offset_ms = ${next.offsetMs}, frozen_at = ${next.frozenAt},
      version = ${next.version}, mover = ${next.mover}, mover_expires_at = ${next.moverExpiresAt}
    where id = 1 and version = ${next.version - 1}`;
  return result.count === 1;
}

/** Lets the mover hold the clock longer; false when it is not the mover any more. */
export async function updateMoverLease(sql: Sql, mover: string, expiresAt: Date): Promise<boolean> {
  const result = await sql`
    update environment_clock set mover_expires_at = ${expiresAt} where id = 1 and mover = ${mover}`;
  return result.count === 1;
}
