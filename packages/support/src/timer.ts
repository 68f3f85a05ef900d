import { monotonicMs } from './clock.ts';

/**
 * Real time, which processors, receivers and other processes live in: they do not follow the clock
 * of a sandbox. A test hands in a timer that it moves itself.
 */
export interface Timer {
  /**
   * Calls `run` after `durationMs` milliseconds, unless the function that it gives is called first.
   * With `keepsAlive` false the process does not live for it.
   */
  after(durationMs: number, run: () => void, keepsAlive?: boolean): () => void;
  /** Milliseconds since some instant, which only grow: for durations. */
  elapsedMs(): number;
}

/** The machine's real time. */
export const machineTimer: Timer = {
  after(durationMs, run, keepsAlive = true) {
    let late: NodeJS.Immediate | undefined;
    const timeout = setTimeout(() => {
      // Node.js runs all timers that are over before it reads what has come. After the machine has
      // held this process, an answer that is there must not count as late.
      late = setImmediate(run);
    }, durationMs);
    if (!keepsAlive) timeout.unref();
    return () => {
      clearTimeout(timeout);
      clearImmediate(late);
    };
  },
  elapsedMs: monotonicMs,
};

/** A timer for tests, whose waits are over at once. */
export const instantTimer: Timer = {
  after(_durationMs, run) {
    queueMicrotask(run);
    return () => {};
  },
  elapsedMs: () => 0,
};

/** What `within` gives when the time is over. */
export const LATE = Symbol('late');

/**
 * Waits for `work`, but not longer than `limitMs` milliseconds. Late work goes on, and nobody hears
 * whether it fails.
 */
export function within<T>(
  work: Promise<T>,
  limitMs: number,
  timer: Timer = machineTimer,
): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const cancel = timer.after(limitMs, () => resolve(LATE));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** Resolves after `durationMs` milliseconds; rejects with its reason once `signal` is aborted. */
export function sleep(
  durationMs: number,
  signal?: AbortSignal,
  timer: Timer = machineTimer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timer.after(durationMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
