import { errorClasses, operations, requestChecks } from '@servery/contract';
import type { Metrics } from '../../support/metrics.ts';
import type { RequestObserver } from './observe.ts';

const NO_OPERATION = 'none';

const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

/** Most answers take milliseconds; a payment may wait 10 s for the processor. */
export const requestBucketSeconds = [
  0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Nothing that a client sends becomes a label. */
export function requestMetrics(metrics: Metrics): RequestObserver {
  const operationIds: readonly string[] = [...operations.map(({ id }) => id), NO_OPERATION];
  const answered = metrics.pairCounter<string, StatusClass>({
    name: 'operations_total',
    help: 'Requests that this process answered, by operation and class of the status.',
    labels: ['operation', 'status'],
    values: [operationIds, statusClasses],
  });
  const took = metrics.times<string>({
    name: 'operation_duration_seconds',
    help: 'Time to answer, by operation; for a stream, until its first byte.',
    label: 'operation',
    values: operationIds,
    bucketSeconds: requestBucketSeconds,
  });
  const refused = metrics.pairCounter<string, string>({
    name: 'refusals_total',
    help: 'Refused requests, by the first check that failed and the kind of error.',
    labels: ['check', 'error'],
    values: [requestChecks, Object.keys(errorClasses)],
  });
  return {
    finished({ operation, status, durationMs, refusal }) {
      const id = operation?.id ?? NO_OPERATION;
      answered(id, `${Math.floor(status / 100)}xx` as StatusClass);
      took(id, durationMs);
      if (refusal) refused(refusal.check, refusal.errorClass);
    },
  };
}
