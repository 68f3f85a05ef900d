import type { Clock } from '@servery/support/clock.ts';
import type { Database, Sql } from '../database/database.ts';
import type { EnvironmentKind } from '../database/environment-kind.ts';
import { type ClockMode, type ClockRow, findClock } from './clock-store.ts';

/** The clock of an environment, which may be moved by any process on its database. */
export interface EnvironmentClock extends Clock {
  readonly mode: ClockMode;
  /**
   * Looks how the clock stands for all processes. False while one of them moves it: whoever works
   * in the background then does nothing, because the mover does all that falls due. A transaction
   * that has to know looks through its own `sql`: waiting for a second connection could be forever.
   */
  refresh(sql?: Sql): Promise<boolean>;
}

/** An environment's clock in the hands of who moves it. */
export interface MovableClock extends EnvironmentClock {
  /** Takes how the clock stands from this process, which has just written it, if it is news. */
  take(row: ClockRow): void;
}

/** What a clock leans on. */
export interface EnvironmentClockDeps {
  readonly database: Database;
  /** The database's real time, on which a running clock and the lease of a mover go by. */
  readonly realClock: Clock;
}

/** Both kinds of clock; `movable` is null in production, where time is real. */
export interface OpenedClock {
  readonly clock: EnvironmentClock;
  readonly movable: MovableClock | null;
}

/**
 * Opens the clock of an environment as its database has it, so that it goes on after a restart
 * where it stood. That of production is real time, whatever the database says.
 */
export async function openEnvironmentClock(
  deps: EnvironmentClockDeps,
  kind: EnvironmentKind,
): Promise<OpenedClock> {
  if (kind === 'production') return { clock: realTime(deps.realClock), movable: null };
  const movable = new SandboxClock(deps, await findClock(deps.database.sql));
  return { clock: movable, movable };
}

/** The instant at which a clock stands at a real time, both in epoch milliseconds. */
export function instantOf(row: ClockRow, realNowMs: number): number {
  const { mode, frozenAt, offsetMs } = row;
  const stands = mode === 'FROZEN' || isMoving(row, realNowMs);
  return stands && frozenAt ? frozenAt.getTime() : realNowMs + offsetMs;
}

/** Whether a process moves the clock at a real time; one that died is believed until its lease. */
export function isMoving({ moverExpiresAt }: ClockRow, realNowMs: number): boolean {
  return moverExpiresAt !== null && moverExpiresAt.getTime() > realNowMs;
}

function realTime(realClock: Clock): EnvironmentClock {
  return { mode: 'RUNNING', nowMs: () => realClock.nowMs(), refresh: async () => true };
}

/** The clock of a sandbox: between two looks at the database it goes on as the last one said. */
class SandboxClock implements MovableClock {
  readonly #deps: EnvironmentClockDeps;
  #row: ClockRow;

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

  /** Looks are not shared: whoever asks is to know of all that was done before it asked. */
  async refresh(sql = this.#deps.database.sql): Promise<boolean> {
    this.take(await findClock(sql));
    return !isMoving(this.#row, this.#deps.realClock.nowMs());
  }

  /** What was seen or written meanwhile may be newer than a look that began before. */
  take(row: ClockRow): void {
    const { version, moverExpiresAt } = this.#row;
    const isOlder =
      row.version < version ||
      (row.version === version && Number(row.moverExpiresAt) < Number(moverExpiresAt));
    if (!isOlder) this.#row = row;
  }
}
