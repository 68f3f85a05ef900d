/**
 * The only source of time. A decision never reads the machine's clock or SQL `now()`: it asks the
 * environment's clock, so that a sandbox can be moved to any instant (architecture rule 1).
 */
export interface Clock {
  /** The environment's present instant, in epoch milliseconds. */
  nowMs(): number;
}

/**
 * The machine's own clock: for command lines that have no environment to ask, and to notice that
 * the machine slept.
 */
export const machineClock: Clock = { nowMs: () => Date.now() };

/** Milliseconds since some instant, which only grow: for durations within one process. */
export const monotonicMs = (): number => performance.now();

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

/** A clock that follows the database's. */
export interface FollowingClock extends Clock {
  /** Asks for the database's time, in epoch milliseconds, by `read`; throws what that throws. */
  follow(read: () => Promise<number>): Promise<void>;
}

/** A step back below this, in milliseconds, is the noise of the measurement and is not taken. */
const NOISE_MS = 1_000;

/**
 * A clock that runs with the database's: all processes on one database agree on the time even when
 * their machines do not. Between two readings it runs with `elapsedMs`, which a step of the
 * machine's wall clock cannot move, but which stands still while the machine sleeps: the owner
 * of the clock has it `follow` the database again and again.
 */
export function databaseClock(
  databaseNowMs: number,
  elapsedMs: () => number = monotonicMs,
): FollowingClock {
  let offsetMs = databaseNowMs - elapsedMs();
  let latestMs = databaseNowMs;
  return {
    nowMs() {
      latestMs = Math.max(latestMs, Math.floor(offsetMs + elapsedMs()));
      return latestMs;
    },
    async follow(read) {
      const askedMs = elapsedMs();
      const readMs = await read();
      const answeredMs = elapsedMs();
      // The database read its clock at some moment in between. Taking the answer for the present
      // time would put a process behind by all the time that the answer took.
      offsetMs = Math.min(Math.max(offsetMs, readMs - answeredMs), readMs - askedMs);
      const nextMs = Math.floor(offsetMs + answeredMs);
      if (nextMs < latestMs - NOISE_MS) latestMs = nextMs;
    },
  };
}
