import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Database } from '../database/database.ts';
import type { ProcessRegistry } from '../database/processes.ts';
import type { Metrics } from '../support/metrics.ts';
import { insertMinute } from './health-store.ts';
import { startMeasuring } from './measure.ts';
import { readTotals, subtract, type Totals } from './totals.ts';

export interface WriteMinutesDeps {
  readonly database: Pick<Database, 'sql' | 'pool'>;
  readonly realClock: Clock;
  readonly metrics: Metrics;
  readonly version: string;
  readonly processes: Pick<ProcessRegistry, 'afterBeat'>;
}

export const MINUTE_MS = 60_000;
export const KEPT_MINUTES = 60;

/** Writes what this process did in each minute. A minute that can't be written is lost. */
export function minuteWriter({
  database,
  realClock,
  metrics,
  version,
  processes,
}: WriteMinutesDeps) {
  const measure = startMeasuring(database);
  const startedAt = new Date(realClock.nowMs());
  const processId = newGuid();
  let before: Totals = {};
  let minute = minuteOf(realClock.nowMs());

  async function write(isLast: boolean): Promise<void> {
    const written = minute;
    minute = minuteOf(realClock.nowMs());
    const now = await readTotals(metrics);
    const totals = subtract(now, before);
    before = now;
    const row = { processId, version, startedAt, isLast, totals, measured: await measure() };
    const keptSince = new Date((minute - KEPT_MINUTES) * MINUTE_MS);
    await insertMinute(database.sql, { ...row, minute: new Date(written * MINUTE_MS) }, keptSince);
  }

  return {
    /** Writes when a minute is over; call it every second. */
    async look(): Promise<void> {
      if (minuteOf(realClock.nowMs()) === minute) return;
      await processes.afterBeat();
      await write(false);
    },
    /** Writes what was counted since the last minute. */
    end: () => write(true),
  };
}

export function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}
