import { runEvery } from '@servery/support/runner.ts';

/** Tells how long the event loop of this thread was held. */
export interface TurnMeter {
  /** The longest turn since the last question, in milliseconds of processor time. */
  takeLongestMs(): number;
  stop(): Promise<void>;
}

/** So much of other turns may count as part of one, in milliseconds. */
const TURN_MS = 1;

/**
 * Measures the turns of this thread's event loop, by the processor time that the thread used between
 * two of its timers. A machine that holds the process for seconds adds nothing to that, and neither
 * do other threads. Where turns are short, several count as one.
 */
export function startTurnMeter(): TurnMeter {
  let longestUs = 0;
  let last = process.threadCpuUsage();
  const endTurn = () => {
    const now = process.threadCpuUsage();
    longestUs = Math.max(longestUs, now.user - last.user + now.system - last.system);
    last = now;
  };
  const runner = runEvery(
    TURN_MS,
    async () => endTurn(),
    (error) => {
      throw error;
    },
  );
  return {
    takeLongestMs() {
      endTurn();
      const longestMs = longestUs / 1_000;
      longestUs = 0;
      return longestMs;
    },
    stop: () => runner.stop(),
  };
}
