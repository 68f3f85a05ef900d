import { monotonicMs } from '@servery/support/clock.ts';
/** How busy the event loop of a process was: both counts only grow. In milliseconds. */
export interface Activity {
  /** How long the event loop worked, and how long it waited for something to do. */
  readonly activeMs: number;
  readonly idleMs: number;
}

/** What tells how much time work beside the requests may take. */
export interface WorkBudget {
  /** How long it may take now, in milliseconds, for all the time since the last question. */
  allowedMs(): number;
  /** A stopwatch, in milliseconds. */
  nowMs(): number;
  /** Tells of a request that was answered just now, after so many milliseconds. */
  served(durationMs: number): void;
}

/** The share of all time that is taken even when the process has nothing to spare. */
const BUSY_SHARE = 0.01;
/** The share of the time in which nothing is to do that may be used. */
const IDLE_SHARE = 0.25;

/**
 * Lets work beside the requests use a hundredth of a process that is busy all the time, and a
 * quarter of the time in which it has nothing to do: so a request hardly ever waits for its log.
 * While a request is under way nothing is idle, though the event loop may be: then the database
 * works, which writing the log would keep from it.
 */
export function workBudget(
  read: () => Activity = readActivity,
  nowMs: () => number = monotonicMs,
): WorkBudget {
  let last = read();
  let servingMs = 0;
  /** Until when what was served is counted, so that requests beside each other count once. */
  let countedUntilMs = nowMs();
  return {
    allowedMs() {
      const activity = read();
      const activeMs = activity.activeMs - last.activeMs;
      const idleMs = activity.idleMs - last.idleMs;
      last = activity;
      const freeMs = Math.min(idleMs, Math.max(activeMs + idleMs - servingMs, 0));
      servingMs = 0;
      return Math.max((activeMs + idleMs) * BUSY_SHARE, freeMs * IDLE_SHARE);
    },
    nowMs,
    served(durationMs) {
      const endedMs = nowMs();
      servingMs += Math.min(durationMs, endedMs - countedUntilMs);
      countedUntilMs = endedMs;
    },
  };
}

function readActivity(): Activity {
  const { active, idle } = performance.eventLoopUtilization();
  return { activeMs: active, idleMs: idle };
}
