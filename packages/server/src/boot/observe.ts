import { runEvery } from '@servery/support/runner.ts';
import { poolMetrics } from '../database/pool-metrics.ts';
import { minuteWriter } from '../health/write-minutes.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { requestMetrics } from '../http/pipeline/request-metrics.ts';
import { openTraces } from '../http/pipeline/traces.ts';
import { workMetrics } from '../metrics/work-metrics.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import { watchCaches } from './caches.ts';
import { type Parts, programVersion } from './parts.ts';

const SECOND_MS = 1_000;

export async function watch(
  parts: Parts,
  dueWork: readonly NamedWork[],
  undo: AsyncDisposableStack,
): Promise<readonly RequestObserver[]> {
  const { config, database, caches, metrics, log, realClock, onError } = parts;
  poolMetrics(metrics, database);
  watchCaches(metrics, caches);
  workMetrics(metrics, { ...parts, dueWork });
  const counting = requestMetrics(metrics);
  const minutes = minuteWriter({ ...parts, version: programVersion });
  const looking = runEvery(SECOND_MS, minutes.look, onError);
  undo.defer(async () => {
    await looking.stop();
    await minutes.end().catch(onError);
  });
  if (config.traceUrl === null) return [counting];
  const traces = await openTraces({
    ...{ url: config.traceUrl, percent: config.tracePercent, kind: config.kind },
    ...{ version: programVersion, log, realClock },
  });
  undo.defer(traces.stop);
  return [counting, traces.observer];
}
