import type { HealthMinute } from '@servery/contract';
import { requestBucketSeconds } from '../http/pipeline/request-metrics.ts';
import { moves, type PaymentState } from '../payments/life/lifecycle.ts';
import type { Metrics } from '../support/metrics.ts';

/** Numbers that add up over minutes and processes, by what they count. */
export type Totals = Readonly<Record<string, number>>;

const MS_PER_SECOND = 1_000;

const paymentOutcomes = {
  authorized: 'AUTHORIZED',
  denied: 'DENIED',
  unknown: 'UNKNOWN',
  captured: 'CAPTURED',
  voided: 'VOIDED',
  review: 'REVIEW',
} as const satisfies Record<keyof HealthMinute['payments'], PaymentState>;

const outcomeOfState = new Map<string, string>(
  Object.entries(paymentOutcomes).map(([outcome, state]) => [state, outcome]),
);

/** Causes that lead to no outcome are steps on the way to one. */
const outcomeOfCause = new Map<string, string>(
  moves.flatMap(({ cause, to }) => {
    const outcome = outcomeOfState.get(to);
    return outcome === undefined ? [] : [[cause, outcome]];
  }),
);

/** What the metrics of this process have counted since it started. */
export async function readTotals(metrics: Metrics): Promise<Totals> {
  const totals: Record<string, number> = {};
  const add = (name: string, value: number) => {
    totals[name] = (totals[name] ?? 0) + value;
  };
  for (const { labels, value } of await metrics.readCounts('operations_total')) {
    add(`status ${labels.status}`, value);
  }
  for (const { labels, value } of await metrics.readCounts('refusals_total')) {
    if (labels.error === 'tooManyRequests') add('limited', value);
  }
  for (const { labels, value } of await metrics.readCounts('operation_duration_seconds')) {
    if (labels.le !== undefined) add(`within ${labels.le}`, value);
  }
  for (const { labels, value } of await metrics.readCounts('payment_moves_total')) {
    const outcome = outcomeOfCause.get(String(labels.cause));
    if (outcome !== undefined) add(`payments ${outcome}`, value);
  }
  for (const { labels, value } of await metrics.readCounts('webhook_attempts_total')) {
    add(`webhooks ${labels.outcome === 'DELIVERED' ? 'delivered' : 'failed'}`, value);
  }
  return totals;
}

/** What was counted in between; what was not is left out. */
export function subtract(now: Totals, before: Totals): Totals {
  const grown = Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)]);
  return Object.fromEntries(grown.filter(([, value]) => value !== 0));
}

export function addUp(all: readonly Totals[]): Totals {
  const sums: Record<string, number> = {};
  for (const [name, value] of all.flatMap(Object.entries<number>)) {
    sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}

/** The totals of one minute, as callers see them. */
export function showTotals(
  totals: Totals,
): Pick<HealthMinute, 'requests' | 'payments' | 'webhooks'> {
  const of = (name: string) => totals[name] ?? 0;
  const limited = of('limited');
  return {
    requests: {
      succeeded: of('status 2xx') + of('status 3xx'),
      refused: of('status 4xx') - limited,
      limited,
      failed: of('status 5xx'),
      p50Ms: quantileMs(totals, 0.5),
      p99Ms: quantileMs(totals, 0.99),
    },
    payments: {
      authorized: of('payments authorized'),
      denied: of('payments denied'),
      unknown: of('payments unknown'),
      captured: of('payments captured'),
      voided: of('payments voided'),
      review: of('payments review'),
    },
    webhooks: { delivered: of('webhooks delivered'), failed: of('webhooks failed') },
  };
}

/** The upper end of the bucket that has it. Each bucket includes the smaller ones. */
function quantileMs(totals: Totals, quantile: number): number | null {
  const least = (totals['within +Inf'] ?? 0) * quantile;
  if (least === 0) return null;
  const bucket = requestBucketSeconds.find((le) => (totals[`within ${le}`] ?? 0) >= least);
  return bucket === undefined ? null : bucket * MS_PER_SECOND;
}
