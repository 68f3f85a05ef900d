import { afterTurn } from '@servery/support/runner.ts';

/** Tells how long the event loop of this thread was held. */
export interface TurnMeter {
  /** The longest turn since the last question, in milliseconds of processor time. */
  takeLongestMs(): number;
  stop(): void;
}

/**
 * Measures each turn of this thread's event loop, by the processor time that the thread used in it.
 * A machine that holds the process for seconds adds nothing to that, and neither do other threads.
 * The loop never rests while it is measured.
 */
export function startTurnMeter(): TurnMeter {
  let longestUs = 0;
  let last = process.threadCpuUsage();
  let isStopped = false;
  const turn = () => {
    if (isStopped) return;
    const now = process.threadCpuUsage();
    const usedUs = now.user - last.user + now.system - last.system;
    if (usedUs > longestUs) longestUs = usedUs;
    last = now;
    afterTurn(turn);
  };
  afterTurn(turn);
  return {
    takeLongestMs() {
      const longestMs = longestUs / 1_000;
      longestUs = 0;
      return longestMs;
    },
    stop() {
      isStopped = true;
    },
  };
}
