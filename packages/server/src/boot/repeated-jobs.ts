import { mayComeThrough } from '@servery/postgres/away.ts';
import type { Clock } from '@servery/support/clock.ts';
import type { Log } from '../support/log.ts';

const QUIET_MS = 60_000;

/**
 * Tells the log of repeated jobs that failed. A database in trouble fails every job every second:
 * that is told once a minute, of real time.
 */
export function repeatedJobFailed(log: Log, realClock: Clock): (error: unknown) => void {
  let quietUntilMs = 0;
  return (error) => {
    if (!mayComeThrough(error)) log.error({ err: error }, 'a repeated job failed');
    else if (realClock.nowMs() >= quietUntilMs) {
      quietUntilMs = realClock.nowMs() + QUIET_MS;
      log.warn({ reason: String(error) }, 'the database is in trouble');
    }
  };
}
