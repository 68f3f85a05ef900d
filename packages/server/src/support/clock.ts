/**
 * The only source of time. A decision never reads the machine's clock or SQL `now()`: it asks the
 * environment's clock, so that a sandbox can be moved to any instant (architecture rule 1).
 */
export interface Clock {
  /** The environment's present instant, in epoch milliseconds. */
  nowMs(): number;
}

/** A clock that stands still until a test moves it. Takes epoch milliseconds. */
export class FixedClock implements Clock {
  #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** Moves the clock forward (or back) by `durationMs` milliseconds. */
  advance(durationMs: number): void {
    this.#nowMs += durationMs;
  }
}

/**
 * A clock that runs with the database's, measured once as an offset to this machine's: all
 * processes on one database agree on the time even when their machines do not.
 * `databaseNowMs` is the database's time, in epoch milliseconds, at the moment of the call.
 */
export function databaseClock(databaseNowMs: number): Clock {
  // `performance.now()` is monotonic: a step of the machine's wall clock cannot move deadlines.
  const startedAt = performance.now();
  return { nowMs: () => Math.floor(databaseNowMs + (performance.now() - startedAt)) };
}
