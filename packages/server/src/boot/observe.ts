import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { poolMetrics } from '../database/pool-metrics.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { requestMetrics } from '../http/pipeline/request-metrics.ts';
import { openTraces } from '../http/pipeline/traces.ts';
import { type WorkMetricsDeps, workMetrics } from '../metrics/work-metrics.ts';
import type { Log } from '../support/log.ts';
import type { Metrics } from '../support/metrics.ts';
import { type Caches, watchCaches } from './caches.ts';

export const programVersion: string = manifest.version;

export interface WatchDeps extends WorkMetricsDeps {
  readonly config: Pick<Config, 'kind' | 'traceUrl' | 'tracePercent'>;
  readonly database: Database;
  readonly caches: Caches;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface Watch {
  readonly observers: readonly RequestObserver[];
  stop(): Promise<void>;
}

export async function watch(deps: WatchDeps): Promise<Watch> {
  const { config, database, caches, metrics, log, realClock } = deps;
  poolMetrics(metrics, database);
  watchCaches(metrics, caches);
  workMetrics(metrics, deps);
  const counting = requestMetrics(metrics);
  if (config.traceUrl === null) return { observers: [counting], stop: async () => {} };
  const traces = await openTraces({
    ...{ url: config.traceUrl, percent: config.tracePercent, kind: config.kind },
    ...{ version: programVersion, log, realClock },
  });
  return { observers: [counting, traces.observer], stop: traces.stop };
}
