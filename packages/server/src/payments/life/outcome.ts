import type { Approved, Declined, ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { AlarmKind } from '../alarms/alarm-kinds.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import { denialFor } from './denials.ts';
import { APPLY_WINDOW_MS, CAPTURE_WINDOW_MS, type Cause, followUpDue } from './lifecycle.ts';
import type { PaymentChange, PaymentRow } from './store.ts';

/** What a move raises for a person to look at. */
export interface MoveAlarm {
  readonly kind: AlarmKind;
  /** For operators; never card data. */
  readonly explanation: string;
}

/** A change of state with all that it writes. */
export interface PaymentMove {
  readonly cause: Cause;
  /** Columns that the move sets; the others keep their value, and the lease ends. */
  readonly change: Partial<Omit<PaymentChange, 'state'>>;
  /** How the payment's present attempt ended; null when it goes on. */
  readonly ended: Omit<AttemptOutcome, 'finishedAt'> | null;
  /** The processor's key of the attempt that begins; null when none does. */
  readonly begunKey: string | null;
  readonly details: object | null;
  readonly alarm: MoveAlarm | null;
  /** Who asked for it, for the record of changes; null for what the platform does by itself. */
  readonly origin: ChangeOrigin | null;
  readonly nowMs: number;
}

/** Makes a move of its cause and instant; what is not said is not changed, ended or raised. */
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

/** What a processor's answer to an authorization does to the payment that waits for it. */
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
          // A processor that says so may be wrong: it is asked, as when it did not know the call.
          dueAt: answer.isUnsent ? null : followUpDue(0, nowMs),
        }),
      });
    // Nothing that an authorization can be answered with: what it did has to be inquired.
    case 'notFound':
    case 'unknown':
      return lostMove(answer.explanation, nowMs);
  }
}

/** An approval counts for the amount and currency that were asked for, and for no other. */
export function isForSameMoney(payment: PaymentRow, answer: Approved): boolean {
  const asked = payment.amountMinor + payment.tipMinor;
  return answer.amountMinor === asked && answer.currencyCode === payment.currencyCode;
}

/** The payment is authorized from now on, for five minutes and at most seven days (PAY-I3). */
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

/** The issuer refused: final. */
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

/** How an attempt ended; `dueAt` is when it is asked about again. */
export function endedAs(
  outcome: AttemptOutcome['outcome'],
  explanation: string | null,
  { reference = null, dueAt = null }: { reference?: string | null; dueAt?: Date | null } = {},
): Omit<AttemptOutcome, 'finishedAt'> {
  return { outcome, explanation, processorReference: reference, dueAt };
}

/** From here on the outcome has to be inquired, and at once. */
function lostMove(explanation: string, nowMs: number): PaymentMove {
  return makeMove('outcomeLost', nowMs, {
    change: { dueAt: new Date(nowMs) },
    ended: endedAs('UNKNOWN', explanation),
  });
}
