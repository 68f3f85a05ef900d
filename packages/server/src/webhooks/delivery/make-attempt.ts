import type { Clock } from '@servery/support/clock.ts';
import {
  type PreparedSecret,
  signatureHeaders,
  standardHeaderNames,
  webhookHeaderNames,
} from '@servery/webhooks';
import { cleanText, LEFT_OUT } from '../../text/clean-text.ts';
import type { Answered, Outcome } from '../sockets/outcome.ts';
import type { Targets } from '../sockets/targets.ts';
import type { CircuitEvent } from './circuit.ts';
import type { AttemptRow } from './delivery-store.ts';
import type { ClaimedDelivery } from './due-delivery-store.ts';
import { askedDelayMs, explain, judge, outcomeOf, type Verdict } from './judge.ts';
import type { RecordedAttempt } from './outcome-store.ts';

export interface AttemptDeps {
  readonly clock: Clock;
  /** Receivers compare it with their own clock. */
  readonly realClock: Clock;
  readonly targets: Pick<Targets, 'post'>;
  readonly brand: string;
  readonly isClockMoved?: boolean;
}

export interface MadeAttempt extends RecordedAttempt {
  readonly isExhausted: boolean;
  readonly event: CircuitEvent;
  readonly hasMended: boolean;
}

/** For the way of the answer back into this process. */
const MARGIN_MS = 1_000;
const SECOND_MS = 1_000;
const KEPT_OF_SOUND = 4_096;
const LONGEST_SECRET = 256;
const TIMESTAMP = /^\{"timestamp":"([^"]*)"/;

/**
 * Signs with each secret, the oldest first. Null when nothing was decided because the process stops
 * or the lease is too short; then another process delivers.
 */
export async function makeAttempt(
  deps: AttemptDeps,
  claimed: ClaimedDelivery,
  secrets: readonly PreparedSecret[],
): Promise<MadeAttempt | null> {
  const { url, connectTimeoutMs, answerTimeoutMs } = claimed.endpoint;
  const startedMs = deps.clock.nowMs();
  const leftMs = claimed.leaseExpiresAt.getTime() - deps.realClock.nowMs();
  // A kept connection may turn out closed, which needs a second call.
  if (leftMs < 2 * (connectTimeoutMs + answerTimeoutMs) + MARGIN_MS) return null;
  const body = Buffer.from(claimed.body);
  const headers = headersOf(deps, claimed, body, secrets);
  const outcome = await deps.targets.post({
    ...{ url, headers, connectTimeoutMs, answerTimeoutMs, body },
  });
  if (outcome.kind === 'stopped') return null;
  const [nowMs, realNowMs] = [deps.clock.nowMs(), deps.realClock.nowMs()];
  const { tries, early, isProbe } = claimed;
  const { retryDelaysS } = claimed.endpoint;
  const tried = { tries, early, isProbe, retryDelaysS, nowMs, realNowMs };
  const verdict = judge(outcome, tried);
  const settled = settle(claimed, verdict, nowMs);
  const attempt = {
    ...rowOf(claimed, outcome, masked(headers, deps.brand)),
    at: new Date(startedMs),
    nextAt: settled.state === 'QUEUED' && verdict.next === 'retry' ? settled.dueAt : null,
  };
  const event = {
    failure: attempt.explanation,
    pause: verdict.next === 'pause' ? verdict.reason : null,
    askedDelayMs: outcome.kind === 'answered' ? askedDelayMs(outcome, { realNowMs }) : null,
    isProbe,
    isClockMoved: deps.isClockMoved ?? false,
    nowMs,
  };
  const isExhausted = verdict.next === 'dead' && verdict.isExhausted;
  const hasMended = event.failure === null && claimed.endpoint.failures > 0;
  return { claimed, attempt, ...settled, event, isExhausted, hasMended };
}

function settle(
  { isProbe, dueAt, queuedAt, tries, early }: ClaimedDelivery,
  verdict: Verdict,
  nowMs: number,
): Pick<RecordedAttempt, 'state' | 'dueAt' | 'tries' | 'early'> {
  // The clock may have gone back behind the queue time.
  const againAt = new Date(Math.min(queuedAt.getTime(), nowMs));
  switch (verdict.next) {
    case 'delivered':
      return { state: 'DELIVERED', dueAt, tries, early };
    case 'pause':
      return { state: 'QUEUED', dueAt: againAt, tries, early };
    case 'dead':
      return { state: 'DEAD', dueAt, tries: tries + (isProbe ? 0 : 1), early };
    case 'retry': {
      if (isProbe) return { state: 'QUEUED', dueAt: againAt, tries, early };
      const counted = verdict.isCounted ? { tries: tries + 1, early } : { tries, early: early + 1 };
      return { state: 'QUEUED', dueAt: new Date(verdict.atMs), ...counted };
    }
  }
}

function rowOf(
  { attempts, isProbe, endpoint: { url } }: ClaimedDelivery,
  outcome: Outcome,
  requestHeaders: Readonly<Record<string, string>>,
): Omit<AttemptRow, 'at' | 'nextAt'> {
  const answered = outcome.kind === 'answered' ? outcome : null;
  return {
    ...{ number: attempts + 1, isProbe, url, requestHeaders },
    status: answered?.status ?? null,
    ...keptOf(answered),
    durationMs: Math.max(Math.round(outcome.durationMs), 0),
    outcome: outcomeOf(outcome) ?? 'RESET',
    explanation: explain(outcome),
  };
}

function keptOf(answered: Answered | null): Pick<AttemptRow, 'answer' | 'isAnswerCut'> {
  if (answered === null) return { answer: null, isAnswerCut: false };
  const { text, status, end } = answered;
  const isTaken = status >= 200 && status <= 299;
  const isCut = isTaken && text.length > KEPT_OF_SOUND;
  // Includes text past the cut, since a secret may only be recognizable by its end.
  const looked = isCut ? text.slice(0, KEPT_OF_SOUND + LONGEST_SECRET) : text;
  const clean = looked === '' ? '' : cleanText(looked);
  const answer = isCut ? clean.slice(0, KEPT_OF_SOUND).toWellFormed() : clean;
  return { answer, isAnswerCut: isCut || end !== 'whole' };
}

function headersOf(
  { brand, realClock }: AttemptDeps,
  { eventGuid, eventType, attempts, kind, body: text }: ClaimedDelivery,
  body: Buffer,
  secrets: readonly PreparedSecret[],
): Record<string, string> {
  const names = webhookHeaderNames(brand);
  const [, bodyTimestamp = ''] = TIMESTAMP.exec(text) ?? [];
  return {
    'content-type': 'application/json',
    'user-agent': `${brand}-Webhooks`,
    [names.eventType]: eventType,
    [names.eventCategory]: 'partner',
    [names.attemptNumber]: String(attempts + 1),
    ...signatureHeaders({
      ...{ brand, id: eventGuid, body, bodyTimestamp, secrets },
      timestampSeconds: Math.floor(realClock.nowMs() / SECOND_MS),
    }),
    ...(kind === 'REPLAY' ? { [names.replay]: 'true' } : {}),
    ...(kind === 'TEST' ? { [names.test]: 'true' } : {}),
  };
}

/** With a signature, any reader of an attempt could send it again in the platform's name. */
function masked(
  headers: Readonly<Record<string, string>>,
  brand: string,
): Readonly<Record<string, string>> {
  const { signature } = webhookHeaderNames(brand);
  return { ...headers, [signature]: LEFT_OUT, [standardHeaderNames.signature]: LEFT_OUT };
}
