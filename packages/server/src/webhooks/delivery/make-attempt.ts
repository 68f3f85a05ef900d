import type { Clock } from '@servery/support/clock.ts';
import {
  type PreparedSecret,
  signatureHeaders,
  standardHeaderNames,
  webhookHeaderNames,
} from '@servery/webhooks';
import { cleanText } from '../../text/clean-text.ts';
import type { Answered, Outcome } from '../sockets/outcome.ts';
import type { Targets } from '../sockets/targets.ts';
import type { CircuitEvent } from './circuit.ts';
import type { DeliveryFault } from './delivery-faults.ts';
import type { AttemptRow } from './delivery-store.ts';
import type { ClaimedDelivery } from './due-delivery-store.ts';
import { askedDelayMs, judge, resultOf, type Verdict } from './judge.ts';
import { requestHeaders, secondsOf } from './request-headers.ts';

export interface AttemptDeps {
  readonly clock: Clock;
  /** Receivers compare it with their own clock. */
  readonly realClock: Clock;
  readonly targets: Pick<Targets, 'post'>;
  readonly brand: string;
  readonly isClockMoved?: boolean;
}

export interface MadeAttempt extends Verdict {
  readonly claimed: ClaimedDelivery;
  readonly attempt: Omit<AttemptRow, 'nextAt'>;
  readonly event: CircuitEvent;
  readonly hasMended: boolean;
}

/** For the way of the answer back into this process. */
const MARGIN_MS = 1_000;
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
  fault: DeliveryFault | null = null,
): Promise<MadeAttempt | null> {
  const { endpoint, isProbe } = claimed;
  const { url, connectTimeoutMs, answerTimeoutMs } = endpoint;
  const at = new Date(deps.clock.nowMs());
  const sentAt = new Date(deps.realClock.nowMs());
  const leftMs = claimed.leaseExpiresAt.getTime() - sentAt.getTime();
  // A kept connection may turn out closed, which needs a second call.
  if (leftMs < 2 * (connectTimeoutMs + answerTimeoutMs) + MARGIN_MS) return null;
  const body = Buffer.from(claimed.body);
  const headers = headersOf(deps.brand, claimed, { body, secrets, sentAt });
  if (fault?.kind === 'wrongSignature') spoilSignatures(headers, deps.brand);
  const sent = { url, headers, connectTimeoutMs, answerTimeoutMs, body };
  if (fault?.kind === 'duplicate') await deps.targets.post(sent);
  const outcome = fault?.kind === 'lost' ? LOST : await deps.targets.post(sent);
  if (outcome.kind === 'STOPPED') return null;
  const nowMs = deps.clock.nowMs();
  const answered = outcome.kind === 'ANSWERED' ? outcome : null;
  const askedMs = answered && askedDelayMs(answered, deps.realClock.nowMs());
  const verdict = judge(outcome, askedMs, claimed, nowMs);
  const failure = explain(outcome);
  return {
    ...verdict,
    claimed,
    attempt: {
      ...{ number: claimed.attempts + 1, at, sentAt, isProbe, url },
      status: answered?.status ?? null,
      ...keptOf(answered),
      durationMs: outcome.durationMs,
      outcome: outcome.kind === 'ANSWERED' ? resultOf(outcome.status) : outcome.kind,
      explanation: failure,
      fault: fault?.name ?? null,
    },
    event: {
      ...{ failure, pause: verdict.pause, askedDelayMs: askedMs, isProbe },
      ...{ isClockMoved: deps.isClockMoved ?? false, nowMs },
    },
    hasMended: failure === null && endpoint.failures > 0,
  };
}

function explain(outcome: Outcome): string | null {
  if (outcome.kind !== 'ANSWERED') return outcome.explanation;
  const { status, location } = outcome;
  const result = resultOf(status);
  if (result === 'DELIVERED') return null;
  if (result === 'STATUS') return `It responded with ${status}.`;
  // The location may contain a token or other data of the receiver.
  const toward = location === null ? '' : ` (to ${cleanText(location)})`;
  return `It responded with ${status}: redirects${toward} are not followed.`;
}

function keptOf(answered: Answered | null): Pick<AttemptRow, 'answerBody' | 'isAnswerCut'> {
  if (answered === null) return { answerBody: null, isAnswerCut: false };
  const { text, status, end } = answered;
  const isCut = resultOf(status) === 'DELIVERED' && text.length > KEPT_OF_SOUND;
  // Includes text past the cut, since a secret may only be recognizable by its end.
  const clean = cleanText(isCut ? text.slice(0, KEPT_OF_SOUND + LONGEST_SECRET) : text);
  const answerBody = isCut ? clean.slice(0, KEPT_OF_SOUND).toWellFormed() : clean;
  return { answerBody, isAnswerCut: isCut || end !== 'whole' };
}

interface Signing {
  readonly body: Buffer;
  readonly secrets: readonly PreparedSecret[];
  readonly sentAt: Date;
}

function headersOf(
  brand: string,
  { eventGuid, eventType, attempts, kind, body: text }: ClaimedDelivery,
  { body, secrets, sentAt }: Signing,
): Record<string, string> {
  const [, bodyTimestamp = ''] = TIMESTAMP.exec(text) ?? [];
  const kinds = { isReplay: kind === 'REPLAY', isTest: kind === 'TEST' };
  return requestHeaders(
    brand,
    { eventType, number: attempts + 1, ...kinds },
    signatureHeaders({
      ...{ brand, id: eventGuid, body, bodyTimestamp, secrets },
      timestampSeconds: secondsOf(sentAt),
    }),
  );
}

/** As if it had got lost on the way: the retry schedule sends it later. */
const LOST: Outcome = {
  ...{ kind: 'ANSWER_TIMEOUT', address: null, durationMs: 0 },
  explanation: 'It was not sent, because this fault was injected.',
};

/** Each signature keeps its form, and fits no body. */
function spoilSignatures(headers: Record<string, string>, brand: string): void {
  for (const name of [webhookHeaderNames(brand).signature, standardHeaderNames.signature]) {
    headers[name] = (headers[name] ?? '').replaceAll(
      /[A-Za-z0-9+/]{20,}=*/g,
      (signature) => `${'A'.repeat(signature.length - 4)}${signature.slice(-4)}`,
    );
  }
}
