import { monotonicMs } from '@servery/support/clock.ts';
/** Both counts only grow. */
export interface Activity {
  readonly activeMs: number;
  readonly idleMs: number;
}

export interface WorkBudget {
  /** For all the time since the last call. */
  allowedMs(): number;
  nowMs(): number;
  served(durationMs: number): void;
}

const BUSY_SHARE = 0.01;
const IDLE_SHARE = 0.25;

/**
 * Grants one percent of a busy process and a quarter of its idle time, so that requests hardly ever
 * wait for their log. Time during a request is never idle, even if the event loop is: the database
 * works then, and log writes would slow it down.
 */
export function workBudget(
  read: () => Activity = readActivity,
  nowMs: () => number = monotonicMs,
): WorkBudget {
  let last = read();
  let servingMs = 0;
  /** Parallel requests count only once. */
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
