import { cleanText } from '../../text/clean-text.ts';
import type { Answered, Outcome } from '../sockets/outcome.ts';
import type { AttemptOutcome } from './delivery-store.ts';

/** What is done after an attempt. Instants are epoch milliseconds of the environment. */
export type Verdict =
  | { readonly next: 'delivered' }
  /** It is tried again; `isCounted` when the schedule of retries has one less left. */
  | { readonly next: 'retry'; readonly atMs: number; readonly isCounted: boolean }
  /** `isExhausted` when no retry is left; false when it was refused for good. */
  | { readonly next: 'dead'; readonly isExhausted: boolean }
  /** The endpoint is paused at once, and the delivery waits as it did. */
  | { readonly next: 'pause'; readonly reason: 'GONE' | 'BLOCKED' };

/** What an attempt is judged by. */
export interface JudgedAttempt {
  /** Attempts before this one that the schedule counted, and those that were asked for. */
  readonly tries: number;
  readonly early: number;
  readonly retryDelaysS: readonly number[];
  /** A probe of a paused endpoint is not counted: nothing is given up because of the pause. */
  readonly isProbe: boolean;
  /** The environment's time, and real time, at the end of the attempt. */
  readonly nowMs: number;
  readonly realNowMs: number;
}

/** Nobody may ask to be left alone for longer, or called again sooner. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;
const SHORTEST_RETRY_AFTER_MS = 1_000;
/**
 * So many attempts that came sooner than scheduled, because they were asked for, are not counted.
 */
const EARLY_ATTEMPTS = 10;
const SECOND_MS = 1_000;

/** How an attempt ended, as it is written down. */
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

/** What went wrong, in words; null for what was taken. */
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
 * What becomes of a delivery (design/webhooks.md): any 2xx delivers it; time-outs, failed
 * connections, 404, 429 and 5xx are tried again by the schedule, or when the answer asks for it;
 * 410 and a target that the guard refuses pause the endpoint; everything else is a dead letter at
 * once.
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

/**
 * How long an answer asks to be left alone, in milliseconds, within bounds; null when it does not,
 * or not in a form that HTTP knows.
 */
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
  // It may hold a token, or what else the far end put there.
  return location === null ? '' : ` (to ${cleanText(location)})`;
}

/** An answer that asks for a time gets it; then the schedule counts only what was not early. */
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
