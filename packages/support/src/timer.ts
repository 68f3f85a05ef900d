import { setTimeout as sleep } from 'node:timers/promises';
import { afterRealTime } from './after-real-time.ts';

/**
 * Waits in real time: the far end of a network call does not follow a sandbox's clock. A test
 * hands in a timer that it fires itself.
 */
export interface Timer {
  /** Resolves after `durationMs` milliseconds; rejects at once when `signal` is aborted. */
  wait(durationMs: number, signal: AbortSignal): Promise<void>;
  /**
   * Calls `run` after `durationMs` milliseconds, unless what it gives is called before. Deadlines
   * that hardly ever come are such calls: to end a wait makes an error, which costs more than all
   * the rest. Absent in a timer that only waits.
   */
  after?(durationMs: number, run: () => void): () => void;
}

/** The timer of the machine. */
export const machineTimer: Timer = {
  wait: (durationMs, signal) => sleep(durationMs, undefined, { signal }),
  after: afterRealTime,
};

/** Why a wait ends that nobody needs any more. It is made once: errors cost more than waits. */
export const NO_LONGER_NEEDED = new Error('nobody waits for this any longer');

/** What `within` gives: the value in time, or nothing. */
export type InTime<T> = { readonly inTime: true; readonly value: T } | { readonly inTime: false };

/**
 * Waits for `work`, but not longer than `limitMs` milliseconds. Work that is late goes on; whether
 * it fails then is no longer this caller's business.
 */
export function within<T>(timer: Timer, limitMs: number, work: Promise<T>): Promise<InTime<T>> {
  return new Promise((resolve, reject) => {
    const cancel = callAfter(timer, limitMs, () => resolve({ inTime: false }));
    work.then(
      (value) => {
        cancel();
        resolve({ inTime: true, value });
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

function callAfter(timer: Timer, durationMs: number, run: () => void): () => void {
  if (timer.after) return timer.after(durationMs, run);
  const stop = new AbortController();
  timer.wait(durationMs, stop.signal).then(run, () => {});
  return () => stop.abort(NO_LONGER_NEEDED);
}
