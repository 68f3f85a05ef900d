import { setTimeout as sleep } from 'node:timers/promises';
import { afterRealTime } from '@servery/support/after-real-time.ts';
import { kindOf } from './outside-words.ts';
import type { ProcessorAnswer } from './processor.ts';

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

/**
 * Thrown in place of a call that is not begun, because the process stops or too many calls wait
 * already: it surely did nothing.
 */
export class CallNotBegun extends Error {
  constructor() {
    super('the process begins no more calls now');
    this.name = 'CallNotBegun';
  }
}

/**
 * Makes one call to a processor with a deadline of `limitMs` milliseconds. A call that is late is
 * told so by its signal. A call that is late or throws has an unknown outcome: it may have had its
 * effect. Throws only `CallNotBegun`.
 */
export async function callWithDeadline(
  timer: Timer,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<ProcessorAnswer>,
): Promise<ProcessorAnswer> {
  const stop = new AbortController();
  try {
    const answer = await within(timer, limitMs, call(stop.signal));
    if (answer.inTime) return answer.value;
    // A call that has ended needs no telling, which would cost more than many a call.
    stop.abort(NO_LONGER_NEEDED);
    return { outcome: 'unknown', explanation: `no answer within ${limitMs} ms` };
  } catch (error) {
    if (error instanceof CallNotBegun) throw error;
    return { outcome: 'unknown', explanation: `the call broke off (${kindOf(error)})` };
  }
}
