import { poolMetrics } from '../database/pool-metrics.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { requestMetrics } from '../http/pipeline/request-metrics.ts';
import { openTraces } from '../http/pipeline/traces.ts';
import { workMetrics } from '../metrics/work-metrics.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import { watchCaches } from './caches.ts';
import { type Parts, programVersion } from './parts.ts';

export async function watch(
  parts: Parts,
  dueWork: readonly NamedWork[],
  undo: AsyncDisposableStack,
): Promise<readonly RequestObserver[]> {
  const { config, database, caches, metrics, log, realClock } = parts;
  poolMetrics(metrics, database);
  watchCaches(metrics, caches);
  workMetrics(metrics, { ...parts, dueWork });
  const counting = requestMetrics(metrics);
  if (config.traceUrl === null) return [counting];
  const traces = await openTraces({
    ...{ url: config.traceUrl, percent: config.tracePercent, kind: config.kind },
    ...{ version: programVersion, log, realClock },
  });
  undo.defer(traces.stop);
  return [counting, traces.observer];
}
