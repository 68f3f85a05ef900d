import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { monotonicMs } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import { findDatabaseSize, findNothing, type Measured } from './health-store.ts';

const US_PER_MS = 1_000;
const NS_PER_MS = 1_000_000;
const RESOLUTION_MS = 20;
/** Environments of one process measure at the same time, once a minute. */
const TOGETHER_MS = 30_000;

export function startMeasuring(database: Pick<Database, 'sql' | 'pool'>) {
  const { sql } = database;
  startLag();
  let before = { cpu: process.cpuUsage(), atMs: monotonicMs() };
  return async (): Promise<Measured> => {
    const used = process.cpuUsage(before.cpu);
    const atMs = monotonicMs();
    const elapsedMs = Math.max(atMs - before.atMs, 1);
    before = { cpu: process.cpuUsage(), atMs };
    const askedMs = monotonicMs();
    await findNothing(sql);
    const roundTripMs = monotonicMs() - askedMs;
    const { held, busy, idle } = database.pool();
    return {
      name: `${hostname()} ${process.pid}`,
      memoryBytes: process.memoryUsage.rss(),
      cpuShare: rounded((used.user + used.system) / US_PER_MS / elapsedMs),
      eventLoopLagP99Ms: rounded(lagP99Ms()),
      connections: held + busy + idle,
      roundTripMs: rounded(roundTripMs),
      databaseBytes: await findDatabaseSize(sql),
    };
  };
}

/** To three decimals: more say nothing. */
export const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

/** Each histogram costs a timer, so all environments of the process share one. */
let lag: Lag | null = null;

interface Lag {
  readonly histogram: ReturnType<typeof monitorEventLoopDelay>;
  sinceMs: number;
  p99Ms: number;
}

function startLag(): void {
  if (lag) return;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  lag = { histogram, sinceMs: Number.NEGATIVE_INFINITY, p99Ms: 0 };
}

/** Since the last time, or the same as the last time if that was a moment ago. */
function lagP99Ms(): number {
  if (!lag) return 0;
  const nowMs = monotonicMs();
  if (nowMs - lag.sinceMs < TOGETHER_MS) return lag.p99Ms;
  // The histogram holds the time between two of its looks.
  lag.p99Ms = Math.max(lag.histogram.percentile(99) / NS_PER_MS - RESOLUTION_MS, 0);
  lag.sinceMs = nowMs;
  lag.histogram.reset();
  return lag.p99Ms;
}
