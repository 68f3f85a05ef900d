import { mayComeThrough } from '@servery/postgres/away.ts';
import type { Clock } from '@servery/support/clock.ts';
import type { Log } from '../support/log.ts';

const QUIET_MS = 60_000;

/** A broken database fails every job every second, so this logs once a minute of real time. */
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
