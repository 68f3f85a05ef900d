import type { Clock } from '@servery/support/clock.ts';
import type { Database, Sql } from '../database/database.ts';
import type { EnvironmentKind } from '../database/environment.ts';
import { type ClockMode, type ClockRow, findClock } from './clock-store.ts';

export interface EnvironmentClock extends Clock {
  readonly mode: ClockMode;
  /**
   * Reads the clock; false while a process moves it: background work then pauses, because the mover
   * does everything that falls due. Inside a transaction, pass its `sql`: waiting for a second
   * connection could block forever.
   */
  refresh(sql?: Sql): Promise<boolean>;
}

export interface MovableClock extends EnvironmentClock {
  /** Takes over a row that this process just wrote, if it is newer. */
  take(row: ClockRow): void;
  /** Whether this process saw it change within this time. */
  wasMovedWithin(durationMs: number): boolean;
}

export interface EnvironmentClockDeps {
  readonly database: Database;
  readonly realClock: Clock;
}

export interface OpenedClock {
  readonly clock: EnvironmentClock;
  readonly movable: MovableClock | null;
}

/** Continues after a restart where the clock stood. Production always uses real time. */
export async function openEnvironmentClock(
  deps: EnvironmentClockDeps,
  kind: EnvironmentKind,
): Promise<OpenedClock> {
  if (kind === 'production') return { clock: realTime(deps.realClock), movable: null };
  const movable = new SandboxClock(deps, await findClock(deps.database.sql));
  return { clock: movable, movable };
}

export function instantOf(row: ClockRow, realNowMs: number): number {
  const { mode, frozenAt, offsetMs } = row;
  const stands = mode === 'FROZEN' || isMoving(row, realNowMs);
  return stands && frozenAt ? frozenAt.getTime() : realNowMs + offsetMs;
}

/** A process that died still counts as moving until its lease ends. */
export function isMoving({ moverExpiresAt }: ClockRow, realNowMs: number): boolean {
  return moverExpiresAt !== null && moverExpiresAt.getTime() > realNowMs;
}

function realTime(realClock: Clock): EnvironmentClock {
  return { mode: 'RUNNING', nowMs: () => realClock.nowMs(), refresh: async () => true };
}

class SandboxClock implements MovableClock {
  readonly #deps: EnvironmentClockDeps;
  #row: ClockRow;
  #movedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: EnvironmentClockDeps, row: ClockRow) {
    this.#deps = deps;
    this.#row = row;
  }

  get mode(): ClockMode {
    return this.#row.mode;
  }

  nowMs(): number {
    return instantOf(this.#row, this.#deps.realClock.nowMs());
  }

  /** Reads aren't shared: a caller must see everything done before it asked. */
  async refresh(sql = this.#deps.database.sql): Promise<boolean> {
    this.take(await findClock(sql));
    return !isMoving(this.#row, this.#deps.realClock.nowMs());
  }

  /** A read that began earlier may return an older row than one already known. */
  take(row: ClockRow): void {
    const { version, moverExpiresAt } = this.#row;
    const isOlder =
      row.version < version ||
      (row.version === version && Number(row.moverExpiresAt) < Number(moverExpiresAt));
    if (isOlder) return;
    if (row.version > version) this.#movedAtMs = this.#deps.realClock.nowMs();
    this.#row = row;
  }

  wasMovedWithin(durationMs: number): boolean {
    return this.#deps.realClock.nowMs() - this.#movedAtMs <= durationMs;
  }
}
