import { denialFor } from './denials.ts';
import { APPLY_WINDOW_MS, CAPTURE_WINDOW_MS, type Cause } from './lifecycle.ts';
import type { Approved, Declined, ProcessorAnswer } from './processor.ts';
import type { AttemptOutcome, PaymentChange, PaymentRow } from './store.ts';

/** A change of state with all that it writes. */
export interface PaymentMove {
  readonly cause: Cause;
  /** Columns that the move sets; the others keep their value. */
  readonly change: Partial<Omit<PaymentChange, 'state'>>;
  /** How the payment's present attempt ended; null when it goes on. */
  readonly ended: Omit<AttemptOutcome, 'finishedAt'> | null;
  /** The processor's key of the attempt that begins; null when none does. */
  readonly begunKey: string | null;
  readonly details: object | null;
  readonly nowMs: number;
}

/** What a processor's answer to an authorization does to the payment that waits for it. */
export function moveFor(payment: PaymentRow, answer: ProcessorAnswer, nowMs: number): PaymentMove {
  switch (answer.outcome) {
    case 'approved':
      return isForSameMoney(payment, answer)
        ? approvedMove(answer, nowMs)
        : lostMove('the processor approved another amount or currency', nowMs);
    case 'declined':
      return declinedMove(answer, nowMs);
    case 'notProcessed':
      return notProcessedMove(answer.explanation, nowMs);
    case 'unknown':
      return lostMove(answer.explanation, nowMs);
  }
}

/** An approval counts for the amount and currency that were asked for, and for no other. */
function isForSameMoney(payment: PaymentRow, answer: Approved): boolean {
  const asked = payment.amountMinor + payment.tipMinor;
  return answer.amountMinor === asked && answer.currencyCode === payment.currencyCode;
}

function approvedMove(answer: Approved, nowMs: number): PaymentMove {
  const applyDeadline = new Date(nowMs + APPLY_WINDOW_MS);
  return {
    cause: 'approved',
    change: {
      authorizationCode: answer.authorizationCode,
      authorizedAt: new Date(nowMs),
      applyDeadline,
      captureDeadline: new Date(nowMs + CAPTURE_WINDOW_MS),
      dueAt: applyDeadline,
    },
    ended: { outcome: 'APPROVED', explanation: null, processorReference: answer.reference },
    begunKey: null,
    details: null,
    nowMs,
  };
}

function declinedMove(answer: Declined, nowMs: number): PaymentMove {
  const denial = denialFor(answer.responseCode);
  return {
    cause: 'declined',
    change: { responseCode: denial.isoCode, denialReason: denial.guestText, dueAt: null },
    ended: { outcome: 'DECLINED', explanation: denial.staffText, processorReference: null },
    begunKey: null,
    details: { responseCode: denial.isoCode },
    nowMs,
  };
}

function notProcessedMove(explanation: string, nowMs: number): PaymentMove {
  return {
    cause: 'notProcessed',
    change: { dueAt: null },
    ended: { outcome: 'NOT_PROCESSED', explanation, processorReference: null },
    begunKey: null,
    details: null,
    nowMs,
  };
}

/** From here on the outcome has to be inquired, and at once. */
function lostMove(explanation: string, nowMs: number): PaymentMove {
  return {
    cause: 'outcomeLost',
    change: { dueAt: new Date(nowMs) },
    ended: { outcome: 'UNKNOWN', explanation, processorReference: null },
    begunKey: null,
    details: null,
    nowMs,
  };
}
