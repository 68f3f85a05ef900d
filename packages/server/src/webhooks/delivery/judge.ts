import type { WebhookDelivery } from '@servery/contract';
import type { Answered, Outcome } from '../sockets/outcome.ts';
import type { ClaimedDelivery } from './due-delivery-store.ts';

/** What becomes of a delivery. */
export interface Verdict {
  readonly state: WebhookDelivery['state'];
  readonly dueAt: Date;
  readonly tries: number;
  readonly early: number;
  readonly nextAt: Date | null;
  readonly pause: 'GONE' | 'BLOCKED' | null;
  /** False when the receiver refused it for good. */
  readonly isExhausted: boolean;
}

const LONGEST_RETRY_AFTER_MS = 86_400_000;
const SHORTEST_RETRY_AFTER_MS = 1_000;
/** This many requested attempts, which came ahead of schedule, do not count. */
const EARLY_ATTEMPTS = 10;
const SECOND_MS = 1_000;

export function resultOf(status: number): 'DELIVERED' | 'REDIRECT' | 'STATUS' {
  if (status >= 200 && status <= 299) return 'DELIVERED';
  return status >= 300 && status <= 399 ? 'REDIRECT' : 'STATUS';
}

/**
 * PTN-7: 2xx delivers. Time-outs, failed connections, 404, 429 and 5xx retry. 410 and a blocked
 * target pause the endpoint. Everything else is a dead letter at once. A requested delay wins; the
 * schedule then counts only attempts that were not early. Probes do not count: a pause makes no
 * delivery fail for good.
 */
export function judge(
  outcome: Outcome,
  askedMs: number | null,
  { tries, early, dueAt, queuedAt, isProbe, endpoint }: ClaimedDelivery,
  nowMs: number,
): Verdict {
  const same = { dueAt, tries, early, nextAt: null, pause: null, isExhausted: false };
  const dead = { ...same, state: 'DEAD', tries: tries + (isProbe ? 0 : 1) } as const;
  // The clock may have gone back behind the queue time.
  const againAt = new Date(Math.min(queuedAt.getTime(), nowMs));
  const again = { ...same, state: 'QUEUED', dueAt: againAt } as const;
  if (outcome.kind === 'BLOCKED_TARGET') return { ...again, pause: 'BLOCKED' };
  if (outcome.kind === 'ANSWERED') {
    const { status } = outcome;
    if (resultOf(status) === 'DELIVERED') return { ...same, state: 'DELIVERED' };
    if (status === 410) return { ...again, pause: 'GONE' };
    const isForRetry = status === 404 || status === 429 || (status >= 500 && status <= 599);
    if (!isForRetry) return dead;
  }
  if (isProbe) return { ...again, nextAt: againAt };
  const delayS = endpoint.retryDelaysSeconds[tries];
  if (delayS === undefined) return { ...dead, isExhausted: true };
  const isCounted = askedMs === null || askedMs >= delayS * SECOND_MS || early >= EARLY_ATTEMPTS;
  const counted = isCounted ? { tries: tries + 1 } : { early: early + 1 };
  const nextAt = new Date(nowMs + (askedMs ?? delayS * SECOND_MS));
  return { ...again, ...counted, dueAt: nextAt, nextAt };
}

export function askedDelayMs({ retryAfter }: Answered, realNowMs: number): number | null {
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d{1,12}$/.test(text)
    ? Number(text) * SECOND_MS
    : /^[A-Z][a-z]{2},? /.test(text)
      ? Date.parse(text) - realNowMs
      : Number.NaN;
  if (Number.isNaN(asked)) return null;
  return Math.min(Math.max(asked, SHORTEST_RETRY_AFTER_MS), LONGEST_RETRY_AFTER_MS);
}
