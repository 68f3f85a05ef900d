import {
  ALREADY_CAPTURED,
  authorizationKey,
  type NotFound,
  type ProcessorAnswer,
  reversalKey,
  voidKey,
} from '@servery/card-simulator/messages.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import { denialFor, refusalText, reversalDenialText, reversalErrorText } from './denials.ts';
import { followUpDue } from './lifecycle.ts';
import { listEvents } from './list-store.ts';
import { endedAs, makeMove, type PaymentMove } from './outcome.ts';
import { ask, inquire, type SettleDeps, type Step, tryAgain } from './step.ts';
import type { PaymentRow } from './store.ts';

/** How often to ask why a reversal was refused before an alarm. */
const QUESTIONS_AT_MOST = 3;

export async function voiding(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  const answer = await callVoid(deps, payment, payment.attempt, voidKey(payment.paymentId));
  const nowMs = deps.clock.nowMs();
  switch (answer.outcome) {
    case 'approved':
      return { move: makeMove('voidAcknowledged', nowMs) };
    case 'declined':
      return { move: refused(answer.responseCode, nowMs) };
    case 'notFound':
      return { move: await holdMissing(deps, payment, answer) };
    case 'notProcessed':
    case 'unknown':
      return tryAgain(payment, answer.explanation, nowMs);
  }
}

/**
 * Nothing is held, as wanted, but an approved hold should be known. If an unknown capture was sent
 * before, the processor may still carry it out, so the payment can't count as voided.
 */
async function holdMissing(deps: SettleDeps, payment: PaymentRow, { explanation }: NotFound) {
  const events = await listEvents(deps.database.sql, payment);
  const isCaptureSent = events.some(({ toState }) => toState === 'CAPTURE_PENDING');
  const nowMs = deps.clock.nowMs();
  const missing = isCaptureSent ? `${explanation}; ${CAPTURE_MAY_COME}` : explanation;
  const alarm = { kind: 'HOLD_MISSING', explanation: missing } as const;
  return makeMove(isCaptureSent ? 'holdNotFound' : 'voidAcknowledged', nowMs, {
    // The hold may only be hidden: ask again, and release it when it appears.
    ended: endedAs('NOT_FOUND', explanation, { dueAt: followUpDue(0, nowMs) }),
    details: { found: false },
    alarm,
  });
}

const CAPTURE_MAY_COME =
  'a capture was begun before and may still be carried out: look for it at the processor';

function refused(responseCode: string, nowMs: number) {
  const details = { responseCode };
  if (responseCode === ALREADY_CAPTURED) {
    const explanation =
      'The processor says that the hold was captured. If the guest must not pay, refund it there.';
    const alarm = { kind: 'FOUND_CAPTURED', explanation } as const;
    return makeMove('foundCaptured', nowMs, { details, alarm });
  }
  const explanation =
    `${refusalText('void', responseCode)} The guest's money stays on hold until the hold expires: ` +
    'ask the processor to release it.';
  const alarm = { kind: 'VOID_DECLINED', explanation } as const;
  return makeMove('voidDeclined', nowMs, { details, alarm });
}

/**
 * Releases what an attempt may hold when its outcome is unknown or its approval came late. With
 * `followUps` above 0, the processor itself reported the hold.
 */
export async function reversing(
  deps: SettleDeps,
  payment: PaymentRow,
  followUps: number,
): Promise<Step> {
  const answer = await reverse(deps, payment, payment.attempt);
  const nowMs = deps.clock.nowMs();
  switch (answer.outcome) {
    case 'approved':
      return reversed(endedAs('REVERSED', null, { reference: answer.reference }), nowMs);
    case 'notFound':
      return reversedUnfound(answer, followUps, nowMs);
    case 'declined':
      return await reversalDeclined(deps, payment, answer.responseCode, followUps);
    case 'notProcessed':
    case 'unknown':
      return tryAgain(payment, answer.explanation, nowMs);
  }
}

/** The call may still arrive and hold money, so ask again. */
function reversedUnfound({ explanation }: NotFound, followUps: number, nowMs: number): Step {
  const ended = endedAs('NOT_FOUND', explanation, { dueAt: followUpDue(followUps, nowMs) });
  if (followUps === 0) return reversed(ended, nowMs);
  const missing = `a hold that was approved late is not known: ${explanation}`;
  return reversed(ended, nowMs, { alarm: { kind: 'HOLD_MISSING', explanation: missing } });
}

/** A declined authorization holds nothing, so this isn't a fault. */
async function reversalDeclined(
  deps: SettleDeps,
  payment: PaymentRow,
  responseCode: string,
  followUps: number,
): Promise<Step> {
  const known = await inquire(deps, authorizationKey(payment.paymentId, payment.attempt));
  const nowMs = deps.clock.nowMs();
  switch (known.outcome) {
    case 'declined':
      return reversed(endedAs('DECLINED', denialFor(known.responseCode).staffText), nowMs);
    case 'notFound':
      return reversedUnfound(known, followUps, nowMs);
    case 'notProcessed':
    case 'unknown':
      // The refusal is final under its key: only repeat the question, a few times.
      if (payment.tries < QUESTIONS_AT_MOST) return tryAgain(payment, known.explanation, nowMs);
      return reversalRefused(responseCode, nowMs);
    case 'approved':
      return reversalRefused(responseCode, nowMs);
  }
}

function reversalRefused(responseCode: string, nowMs: number): Step {
  const explanation =
    `${refusalText('reversal', responseCode)} Ask the processor whether it holds money, and to ` +
    'release it.';
  const alarm = { kind: 'REVERSAL_DECLINED', explanation } as const;
  return { move: makeMove('reversalDeclined', nowMs, { details: { responseCode }, alarm }) };
}

function reversed(
  ended: AttemptOutcome,
  nowMs: number,
  alarm: Pick<PaymentMove, 'alarm'> = {},
): Step {
  const change = { denialReason: reversalDenialText, error: reversalErrorText };
  return { move: makeMove('reversalAcknowledged', nowMs, { change, ended, ...alarm }) };
}

/** Uses the attempt's own key. */
export function reverse(
  deps: Pick<SettleDeps, 'processor' | 'timer'>,
  payment: Pick<PaymentRow, 'paymentId'>,
  attempt: number,
): Promise<ProcessorAnswer> {
  return callVoid(deps, payment, attempt, reversalKey(payment.paymentId, attempt));
}

function callVoid(
  deps: Pick<SettleDeps, 'processor' | 'timer'>,
  payment: Pick<PaymentRow, 'paymentId'>,
  attempt: number,
  key: string,
): Promise<ProcessorAnswer> {
  const order = { key, authorizationKey: authorizationKey(payment.paymentId, attempt) };
  return ask(deps, (processor, signal) => processor.void(order, signal));
}
