import { reversalDenialText, reversalErrorText } from './denials.ts';
import { FIRST_FOLLOW_UP_MS } from './inquire.ts';
import { endedAs, makeMove } from './outcome.ts';
import {
  ALREADY_CAPTURED,
  authorizationKey,
  type ProcessorAnswer,
  reversalKey,
  voidKey,
} from './processor.ts';
import { callWithDeadline } from './processors/deadline.ts';
import { SETTLE_DEADLINE_MS, type SettleDeps, type Step, tryAgain } from './step.ts';
import type { PaymentRow } from './store.ts';

/** Gives up the hold of a payment that is to be voided. */
export async function voiding(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  const answer = await callVoid(deps, payment, payment.attempt, voidKey(payment.paymentId));
  const nowMs = deps.clock.nowMs();
  switch (answer.outcome) {
    case 'approved':
      return { move: makeMove('voidAcknowledged', nowMs, { change: { dueAt: null } }) };
    case 'declined':
      return { move: refused(answer.responseCode, nowMs) };
    // Nothing is held, which is what was wanted; but a hold that was approved should be known.
    case 'notFound':
      return {
        move: makeMove('voidAcknowledged', nowMs, {
          change: { dueAt: null },
          details: { found: false },
          alarm: { kind: 'HOLD_MISSING', explanation: answer.explanation },
        }),
      };
    case 'notProcessed':
    case 'unknown':
      return tryAgain(payment, answer.explanation, nowMs);
  }
}

function refused(responseCode: string, nowMs: number) {
  const details = { responseCode };
  const change = { dueAt: null };
  if (responseCode === ALREADY_CAPTURED) {
    const explanation = 'the processor says that the hold was captured';
    const alarm = { kind: 'FOUND_CAPTURED', explanation } as const;
    return makeMove('foundCaptured', nowMs, { change, details, alarm });
  }
  const explanation = `the processor answered the void with ${responseCode}`;
  const alarm = { kind: 'VOID_DECLINED', explanation } as const;
  return makeMove('voidDeclined', nowMs, { change, details, alarm });
}

/** Gives up whatever an attempt with an unknown outcome may hold. */
export async function reversing(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  const { attempt } = payment;
  const answer = await reverse(deps, payment, attempt);
  const nowMs = deps.clock.nowMs();
  const change = { dueAt: null, denialReason: reversalDenialText, error: reversalErrorText };
  switch (answer.outcome) {
    case 'approved': {
      const ended = endedAs('REVERSED', null, { reference: answer.reference });
      return { move: makeMove('reversalAcknowledged', nowMs, { change, ended }) };
    }
    // The call may still arrive and hold money: it is asked about again.
    case 'notFound': {
      const dueAt = new Date(nowMs + FIRST_FOLLOW_UP_MS);
      const ended = endedAs('NOT_FOUND', answer.explanation, { dueAt });
      return { move: makeMove('reversalAcknowledged', nowMs, { change, ended }) };
    }
    case 'declined': {
      const explanation = `the processor answered the reversal with ${answer.responseCode}`;
      return {
        move: makeMove('reversalDeclined', nowMs, {
          change: { dueAt: null },
          details: { responseCode: answer.responseCode },
          alarm: { kind: 'REVERSAL_DECLINED', explanation },
        }),
      };
    }
    case 'notProcessed':
    case 'unknown':
      return tryAgain(payment, answer.explanation, nowMs);
  }
}

/** Has the processor give up what one attempt of a payment holds, under the attempt's own key. */
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
  return callWithDeadline(deps.timer, SETTLE_DEADLINE_MS, (signal) =>
    deps.processor.void(order, signal),
  );
}
