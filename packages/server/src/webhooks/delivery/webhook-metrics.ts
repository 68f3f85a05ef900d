import { webhookOutcomes, webhookPauseReasons } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Metrics } from '../../support/metrics.ts';
import type { MadeAttempt } from './make-attempt.ts';
import {
  listDeadLetterCounts,
  listEndpointCounts,
  listPauseCounts,
  listQueues,
  queueStates,
} from './metrics-store.ts';

export interface WebhookMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

/** Only the endpoints with the oldest queues get their own metrics. */
const ENDPOINTS_AT_MOST = 1_000;

export function webhookMetrics(
  metrics: Metrics,
  deps: WebhookMetricsDeps,
): (made: MadeAttempt) => void {
  const { sql } = deps.database;
  metrics.gauge({
    name: 'webhook_endpoints',
    help: 'Webhook endpoints by their state; archived ones are not counted.',
    label: 'state',
    values: queueStates,
    read: async () => (await listEndpointCounts(sql)).map(({ state, count }) => [state, count]),
  });
  metrics.gauge({
    name: 'webhook_endpoints_paused',
    help: 'Webhook endpoints that are paused, by the reason.',
    label: 'reason',
    values: webhookPauseReasons,
    read: async () => (await listPauseCounts(sql)).map(({ reason, count }) => [reason, count]),
  });
  metrics.gauge({
    name: 'webhook_dead_letters',
    help: 'Events that were given up and can be sent again, by their endpoint.',
    label: 'endpoint',
    read: async () => {
      const found = await listDeadLetterCounts(sql, ENDPOINTS_AT_MOST);
      return found.map(({ endpointGuid, count }) => [endpointGuid, count]);
    },
  });
  gaugeQueues(metrics, deps);
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of this process to deliver an event, by how they ended.',
    label: 'outcome',
    values: webhookOutcomes,
  });
  const times = metrics.times<'answered' | 'failed'>({
    name: 'webhook_attempt_seconds',
    help: 'How long attempts to deliver an event took.',
    label: 'result',
    values: ['answered', 'failed'],
    bucketSeconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 30],
  });
  const taken = metrics.countsOf({
    name: 'webhook_endpoint_attempts_total',
    help: 'Attempts of this process to deliver an event to an endpoint, and how many were taken.',
    labels: ['endpoint', 'result'],
    atMost: ENDPOINTS_AT_MOST,
  });
  return ({ claimed, attempt }) => {
    attempts(attempt.outcome);
    times(attempt.status === null ? 'failed' : 'answered', attempt.durationMs);
    taken(claimed.endpointGuid, attempt.outcome === 'DELIVERED' ? 'taken' : 'failed');
  };
}

/** Metrics per endpoint show a stuck one among many. */
function gaugeQueues(metrics: Metrics, { database: { sql }, clock }: WebhookMetricsDeps): void {
  const read = together(() => listQueues(sql, ENDPOINTS_AT_MOST));
  metrics.gauge({
    name: 'webhook_queued',
    help: 'Deliveries that wait, by their endpoint.',
    label: 'endpoint',
    read: async () => (await read()).map(({ endpointGuid, count }) => [endpointGuid, count]),
  });
  metrics.gauge({
    name: 'webhook_queue_age_seconds',
    help: 'How long the oldest delivery of an endpoint waits, by the clock of the environment.',
    label: 'endpoint',
    read: async () => {
      const nowMs = clock.nowMs();
      const ageOf = (oldest: Date) => Math.max(nowMs - oldest.getTime(), 0) / 1_000;
      return (await read()).map(({ endpointGuid, oldest }) => [endpointGuid, ageOf(oldest)]);
    },
  });
}

/** Concurrent callers share one answer. */
function together<Found>(ask: () => Promise<Found>): () => Promise<Found> {
  let asking: Promise<Found> | null = null;
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}
