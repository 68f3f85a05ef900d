import type { Approved, Declined, ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { AlarmKind } from '../alarms/alarm-kinds.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import { denialFor } from './denials.ts';
import { APPLY_WINDOW_MS, CAPTURE_WINDOW_MS, type Cause, followUpDue } from './lifecycle.ts';
import type { PaymentChange, PaymentRow } from './store.ts';

export interface MoveAlarm {
  readonly kind: AlarmKind;
  /** For operators; never card data. */
  readonly explanation: string;
}

export interface PaymentMove {
  readonly cause: Cause;
  /** Other columns keep their values, and the lease ends. */
  readonly change: Partial<Omit<PaymentChange, 'state'>>;
  readonly ended: Omit<AttemptOutcome, 'finishedAt'> | null;
  readonly begunKey: string | null;
  readonly details: object | null;
  readonly alarm: MoveAlarm | null;
  /** For the audit log; null for what the platform does by itself. */
  readonly origin: ChangeOrigin | null;
  readonly nowMs: number;
}

export function makeMove(
  cause: Cause,
  nowMs: number,
  parts: Partial<Omit<PaymentMove, 'cause' | 'nowMs'>> = {},
): PaymentMove {
  const nothing = {
    ...{ change: {}, ended: null, begunKey: null, details: null, alarm: null, origin: null },
  };
  return { ...nothing, ...parts, cause, nowMs };
}

export function moveFor(payment: PaymentRow, answer: ProcessorAnswer, nowMs: number): PaymentMove {
  switch (answer.outcome) {
    case 'approved':
      return isForSameMoney(payment, answer)
        ? approvedMove('approved', answer, nowMs)
        : lostMove('the processor approved another amount or currency', nowMs);
    case 'declined':
      return declinedMove('declined', answer, nowMs);
    case 'notProcessed':
      return makeMove('notProcessed', nowMs, {
        change: { dueAt: null },
        ended: endedAs('NOT_PROCESSED', answer.explanation, {
          // The processor may be wrong, so ask it again, as when it didn't know the call.
          dueAt: answer.isUnsent ? null : followUpDue(0, nowMs),
        }),
      });
    // Not a valid answer to an authorization, so the outcome has to be inquired.
    case 'notFound':
    case 'unknown':
      return lostMove(answer.explanation, nowMs);
  }
}

/** An approval counts only for the requested amount and currency. */
export function isForSameMoney(payment: PaymentRow, answer: Approved): boolean {
  const asked = payment.amountMinor + payment.tipMinor;
  return answer.amountMinor === asked && answer.currencyCode === payment.currencyCode;
}

export function approvedMove(
  cause: 'approved' | 'inquiryApproved',
  answer: Approved,
  nowMs: number,
): PaymentMove {
  const applyDeadline = new Date(nowMs + APPLY_WINDOW_MS);
  return makeMove(cause, nowMs, {
    change: {
      authorizationCode: answer.authorizationCode,
      authorizedAt: new Date(nowMs),
      applyDeadline,
      captureDeadline: new Date(nowMs + CAPTURE_WINDOW_MS),
      dueAt: applyDeadline,
    },
    ended: endedAs('APPROVED', null, { reference: answer.reference }),
  });
}

export function declinedMove(
  cause: 'declined' | 'inquiryDeclined',
  answer: Declined,
  nowMs: number,
): PaymentMove {
  const denial = denialFor(answer.responseCode);
  return makeMove(cause, nowMs, {
    change: { responseCode: denial.isoCode, denialReason: denial.guestText, dueAt: null },
    ended: endedAs('DECLINED', denial.staffText),
    details: { responseCode: denial.isoCode },
  });
}

export function endedAs(
  outcome: AttemptOutcome['outcome'],
  explanation: string | null,
  { reference = null, dueAt = null }: { reference?: string | null; dueAt?: Date | null } = {},
): Omit<AttemptOutcome, 'finishedAt'> {
  return { outcome, explanation, processorReference: reference, dueAt };
}

function lostMove(explanation: string, nowMs: number): PaymentMove {
  return makeMove('outcomeLost', nowMs, {
    change: { dueAt: new Date(nowMs) },
    ended: endedAs('UNKNOWN', explanation),
  });
}
