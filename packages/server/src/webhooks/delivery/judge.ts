import { cleanText } from '../../text/clean-text.ts';
import type { Answered, Outcome } from '../sockets/outcome.ts';
import type { AttemptOutcome } from './delivery-store.ts';

export type Verdict =
  | { readonly next: 'delivered' }
  /** `isCounted` when the attempt counts against the retry schedule. */
  | { readonly next: 'retry'; readonly atMs: number; readonly isCounted: boolean }
  /** False when the receiver refused it for good. */
  | { readonly next: 'dead'; readonly isExhausted: boolean }
  | { readonly next: 'pause'; readonly reason: 'GONE' | 'BLOCKED' };

export interface JudgedAttempt {
  readonly tries: number;
  readonly early: number;
  readonly retryDelaysS: readonly number[];
  /** Probes do not count: a pause makes no delivery fail for good. */
  readonly isProbe: boolean;
  readonly nowMs: number;
  readonly realNowMs: number;
}

const LONGEST_RETRY_AFTER_MS = 86_400_000;
const SHORTEST_RETRY_AFTER_MS = 1_000;
/** This many requested attempts, which came ahead of schedule, do not count. */
const EARLY_ATTEMPTS = 10;
const SECOND_MS = 1_000;

export function outcomeOf(outcome: Outcome): AttemptOutcome | null {
  switch (outcome.kind) {
    case 'answered':
      return outcomeOfStatus(outcome.status);
    case 'blocked':
      return 'BLOCKED_TARGET';
    case 'nameNotFound':
      return 'UNREACHABLE';
    case 'connectTimeout':
      return 'CONNECT_TIMEOUT';
    case 'notConnected':
      return 'REFUSED';
    case 'certificate':
      return 'TLS';
    case 'answerTimeout':
      return 'ANSWER_TIMEOUT';
    case 'connectionBroken':
      return 'RESET';
    case 'notHttp':
      return 'NOT_HTTP';
    case 'stopped':
      return null;
  }
}

export function explain(outcome: Outcome): string | null {
  if (outcome.kind !== 'answered') return outcome.explanation;
  const { status, location } = outcome;
  switch (outcomeOfStatus(status)) {
    case 'DELIVERED':
      return null;
    case 'REDIRECT':
      return `It answered ${status}: redirections${toward(location)} are not followed.`;
    default:
      return `It answered ${status}.`;
  }
}

/**
 * PTN-7: 2xx delivers. Time-outs, failed connections, 404, 429 and 5xx retry. 410 and a blocked
 * target pause the endpoint. Everything else is a dead letter at once.
 */
export function judge(outcome: Outcome, attempt: JudgedAttempt): Verdict {
  if (outcome.kind === 'blocked') return { next: 'pause', reason: 'BLOCKED' };
  if (outcome.kind !== 'answered') return retry(attempt, null);
  const { status } = outcome;
  if (outcomeOfStatus(status) === 'DELIVERED') return { next: 'delivered' };
  if (status === 410) return { next: 'pause', reason: 'GONE' };
  const isForRetry = status === 404 || status === 429 || (status >= 500 && status <= 599);
  if (isForRetry) return retry(attempt, askedDelayMs(outcome, attempt));
  return { next: 'dead', isExhausted: false };
}

export function askedDelayMs(
  { retryAfter }: Pick<Answered, 'retryAfter'>,
  { realNowMs }: Pick<JudgedAttempt, 'realNowMs'>,
): number | null {
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d{1,12}$/.test(text)
    ? Number(text) * SECOND_MS
    : /^[A-Z][a-z]{2},? /.test(text)
      ? Date.parse(text) - realNowMs
      : Number.NaN;
  if (Number.isNaN(asked)) return null;
  return Math.min(Math.max(asked, SHORTEST_RETRY_AFTER_MS), LONGEST_RETRY_AFTER_MS);
}

function toward(location: string | null): string {
  // The location may contain a token or other data of the receiver.
  return location === null ? '' : ` (to ${cleanText(location)})`;
}

/** A requested delay wins; the schedule then counts only attempts that were not early. */
function retry(attempt: JudgedAttempt, askedMs: number | null): Verdict {
  const { tries, early, retryDelaysS, nowMs, isProbe } = attempt;
  if (isProbe) return { next: 'retry', atMs: nowMs, isCounted: false };
  const delayS = retryDelaysS[tries];
  const isEarly = askedMs !== null && askedMs < (delayS ?? Number.POSITIVE_INFINITY) * SECOND_MS;
  const isCounted = !isEarly || early >= EARLY_ATTEMPTS;
  if (delayS === undefined) return { next: 'dead', isExhausted: true };
  return { next: 'retry', atMs: nowMs + (askedMs ?? delayS * SECOND_MS), isCounted };
}

function outcomeOfStatus(status: number): 'DELIVERED' | 'REDIRECT' | 'STATUS' {
  if (status >= 200 && status <= 299) return 'DELIVERED';
  return status >= 300 && status <= 399 ? 'REDIRECT' : 'STATUS';
}
