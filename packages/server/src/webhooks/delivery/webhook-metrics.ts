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
} from './metrics-store.ts';

export interface WebhookMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

/** Metrics per endpoint show a stuck one among many. Only those with the oldest queues get them. */
const ENDPOINTS_AT_MOST = 1_000;

export function webhookMetrics(
  metrics: Metrics,
  { database, clock }: WebhookMetricsDeps,
): (made: MadeAttempt) => void {
  const { sql } = database;
  const queues = together(() => listQueues(sql, ENDPOINTS_AT_MOST));
  metrics.gauge({
    name: 'webhook_endpoints',
    help: 'Webhook endpoints by state, without archived ones.',
    label: 'state',
    values: ['ACTIVE', 'PAUSED', 'DISABLED'],
    read: async () => pairsOf(await listEndpointCounts(sql)),
  });
  metrics.gauge({
    name: 'webhook_endpoints_paused',
    help: 'Paused webhook endpoints, by reason.',
    label: 'reason',
    values: webhookPauseReasons,
    read: async () => pairsOf(await listPauseCounts(sql)),
  });
  metrics.gauge({
    name: 'webhook_dead_letters',
    help: 'Dead letters, by endpoint.',
    label: 'endpoint',
    read: async () => pairsOf(await listDeadLetterCounts(sql, ENDPOINTS_AT_MOST)),
  });
  metrics.gauge({
    name: 'webhook_queued',
    help: 'Queued deliveries, by endpoint.',
    label: 'endpoint',
    read: async () => (await queues()).map(({ endpointGuid, count }) => [endpointGuid, count]),
  });
  metrics.gauge({
    name: 'webhook_queue_age_seconds',
    help: 'Age of the oldest queued delivery of each endpoint, by the clock of the environment.',
    label: 'endpoint',
    read: async () => {
      const nowMs = clock.nowMs();
      const ageOf = (oldest: Date) => Math.max(nowMs - oldest.getTime(), 0) / 1_000;
      return (await queues()).map(({ endpointGuid, oldest }) => [endpointGuid, ageOf(oldest)]);
    },
  });
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts of this process, by outcome.',
    label: 'outcome',
    values: webhookOutcomes,
  });
  const times = metrics.times<'answered' | 'failed'>({
    name: 'webhook_attempt_seconds',
    help: 'Duration of delivery attempts.',
    label: 'result',
    values: ['answered', 'failed'],
    bucketSeconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 30],
  });
  const taken = metrics.countsOf({
    name: 'webhook_endpoint_attempts_total',
    help: 'Delivery attempts of this process by endpoint, and how many were accepted.',
    labels: ['endpoint', 'result'],
    atMost: ENDPOINTS_AT_MOST,
  });
  return ({ claimed, attempt }) => {
    attempts(attempt.outcome);
    times(attempt.status === null ? 'failed' : 'answered', attempt.durationMs);
    taken(claimed.endpointGuid, attempt.outcome === 'DELIVERED' ? 'taken' : 'failed');
  };
}

function pairsOf<Value>(counts: readonly { readonly value: Value; readonly count: number }[]) {
  return counts.map(({ value, count }) => [value, count] as const);
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
