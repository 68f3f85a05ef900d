import { type Approved, authorizationKey } from '@servery/card-simulator/messages.ts';
import { PROCESSOR_DEADLINE_MS } from '../authorize/authorize.ts';
import { type AttemptRow, updateSentBefore } from './attempt-store.ts';
import { APPLY_WINDOW_MS, followUpDue } from './lifecycle.ts';
import { approvedMove, declinedMove, endedAs, isForSameMoney, makeMove } from './outcome.ts';
import { backOffMs, CALL_MAY_ARRIVE_MS, inquire, type SettleDeps, type Step } from './step.ts';
import type { PaymentRow } from './store.ts';

/** After this time, an unknown outcome is given up and its hold is released. */
const INQUIRY_WINDOW_MS = 60_000;

export async function inquiring(
  deps: SettleDeps,
  payment: PaymentRow,
  attempt: AttemptRow,
): Promise<Step> {
  const answer = await inquire(deps, authorizationKey(payment.paymentId, payment.attempt));
  const nowMs = deps.clock.nowMs();
  switch (answer.outcome) {
    case 'approved':
      return { move: approvedLately(payment, answer, attempt, nowMs) };
    case 'declined':
      return { move: declinedMove('inquiryDeclined', answer, nowMs) };
    case 'notFound':
      return await notFound(deps, payment, answer.explanation, attempt);
    case 'notProcessed':
    case 'unknown':
      return notLearnt(payment, answer.explanation, nowMs);
  }
}

function approvedLately(
  payment: PaymentRow,
  answer: Approved,
  { startedAt }: AttemptRow,
  nowMs: number,
) {
  if (!isForSameMoney(payment, answer)) {
    return giveUp('the processor approved another amount or currency', nowMs);
  }
  const isInTime = nowMs <= startedAt.getTime() + APPLY_WINDOW_MS;
  return approvedMove(isInTime ? 'inquiryApproved' : 'inquiryApprovedLate', answer, nowMs);
}

/** The attempt is recorded late, and its answer was awaited before it was given up. */
function latestCallMs({ modifiedAt }: PaymentRow, { startedAt, sentBefore }: AttemptRow): number {
  if (sentBefore) return sentBefore.getTime();
  return Math.max(startedAt.getTime(), modifiedAt.getTime() - PROCESSOR_DEADLINE_MS);
}

async function notFound(
  deps: SettleDeps,
  payment: PaymentRow,
  explanation: string,
  attempt: AttemptRow,
): Promise<Step> {
  const nowMs = deps.clock.nowMs();
  let sentMs = latestCallMs(payment, attempt);
  if (sentMs > nowMs) {
    // The clock went back, so the wait counts from now on.
    await updateSentBefore(deps.database.sql, payment, new Date(nowMs));
    sentMs = nowMs;
  }
  const believedFromMs = sentMs + CALL_MAY_ARRIVE_MS;
  if (nowMs < believedFromMs) return { retry: explanation, atMs: believedFromMs };
  const ended = endedAs('NOT_FOUND', explanation, { dueAt: followUpDue(0, nowMs) });
  return { move: makeMove('inquiryNotFound', nowMs, { ended }) };
}

function notLearnt(payment: PaymentRow, reason: string, nowMs: number): Step {
  const unknownSinceMs = payment.modifiedAt.getTime();
  const givenUpAtMs = unknownSinceMs + INQUIRY_WINDOW_MS;
  // A sandbox's clock that went back before the wait began ends the wait.
  const isWaiting = nowMs >= unknownSinceMs && nowMs < givenUpAtMs;
  if (!isWaiting) return { move: giveUp(reason, nowMs) };
  return { retry: reason, atMs: Math.min(nowMs + backOffMs(payment.tries + 1), givenUpAtMs) };
}

function giveUp(reason: string, nowMs: number) {
  return makeMove('inquiryGivenUp', nowMs, { details: { reason } });
}
