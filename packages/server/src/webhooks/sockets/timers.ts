import { afterRealTime } from '@servery/support/after-real-time.ts';

/**
 * Real time: receivers do not follow a sandbox's clock. A test hands in timers that it fires
 * itself.
 */
export interface Timers {
  /** Calls `act` after `durationMs` milliseconds, unless what it gives back is called before. */
  after(durationMs: number, act: () => void): () => void;
  /** Milliseconds since any fixed instant, for durations alone. */
  elapsedMs(): number;
}

/** The timers of the machine. */
export const machineTimers: Timers = {
  after: afterRealTime,
  elapsedMs: () => performance.now(),
};
