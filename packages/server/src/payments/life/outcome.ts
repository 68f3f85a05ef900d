import type { Approved, Declined, ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { AlarmKind } from '../alarms/alarm-kinds.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import { denialFor } from './denials.ts';
import {
  APPLY_WINDOW_MS,
  CAPTURE_WINDOW_MS,
  type Cause,
  deadlineOf,
  followUpDue,
  isUnsettled,
  nextState,
} from './lifecycle.ts';
import type { PaymentRow } from './store.ts';
import { authorizedMinor } from './tip.ts';

export interface MoveAlarm {
  readonly kind: AlarmKind;
  /** For operators; never card data. */
  readonly explanation: string;
}

export interface PaymentMove {
  readonly cause: Cause;
  readonly nowMs: number;
  /** Other columns keep their values. The lease ends unless it is given again. */
  readonly change?: Partial<
    Omit<PaymentRow, 'state' | 'version' | 'dueAt' | 'tries' | 'modifiedAt'>
  >;
  readonly ended?: AttemptOutcome;
  readonly begunKey?: string;
  readonly details?: object;
  readonly alarm?: MoveAlarm;
  /** For the audit log; absent for what the platform does by itself. */
  readonly origin?: ChangeOrigin;
}

export function makeMove(
  cause: Cause,
  nowMs: number,
  parts: Omit<PaymentMove, 'cause' | 'nowMs'> = {},
): PaymentMove {
  return { cause, nowMs, ...parts };
}

/** The payment as the move makes it. Its new state decides when work on it is due. */
export function movedPayment(
  before: PaymentRow,
  { cause, nowMs, change }: PaymentMove,
): PaymentRow {
  const modifiedAt = new Date(nowMs);
  const after = {
    ...before,
    tries: 0,
    leaseHolder: null,
    leaseExpiresAt: null,
    ...change,
    state: nextState(before.state, cause),
    version: before.version + 1,
    modifiedAt,
  };
  return { ...after, dueAt: isUnsettled(after.state) ? modifiedAt : deadlineOf(after) };
}

export function moveFor(payment: PaymentRow, answer: ProcessorAnswer, nowMs: number): PaymentMove {
  switch (answer.outcome) {
    case 'approved':
      return isForSameMoney(payment, answer)
        ? approvedMove('approved', answer, nowMs)
        : lostMove('the processor approved another amount or currency', nowMs);
    case 'declined':
      return declinedMove('declined', answer, nowMs);
    case 'notProcessed': {
      // The processor may be wrong, so ask it again, as when it didn't know the call.
      const dueAt = answer.isUnsent ? null : followUpDue(0, nowMs);
      const ended = endedAs('NOT_PROCESSED', answer.explanation, { dueAt });
      return makeMove('notProcessed', nowMs, { ended });
    }
    // Not a valid answer to an authorization, so the outcome has to be inquired.
    case 'notFound':
    case 'unknown':
      return lostMove(answer.explanation, nowMs);
  }
}

/** An approval counts only for the requested amount and currency. */
export function isForSameMoney(payment: PaymentRow, answer: Approved): boolean {
  return isApprovalOf(authorizedMinor(payment), payment, answer);
}

export function isApprovalOf(
  askedMinor: number,
  { currencyCode }: Pick<PaymentRow, 'currencyCode'>,
  answer: Approved,
): boolean {
  return answer.amountMinor === askedMinor && answer.currencyCode === currencyCode;
}

export function approvedMove(
  cause: 'approved' | 'inquiryApproved' | 'inquiryApprovedLate',
  { authorizationCode, reference }: Approved,
  nowMs: number,
): PaymentMove {
  const deadlines = {
    applyDeadline: new Date(nowMs + APPLY_WINDOW_MS),
    captureDeadline: new Date(nowMs + CAPTURE_WINDOW_MS),
  };
  const isLate = cause === 'inquiryApprovedLate';
  const approval = { authorizationCode, authorizedAt: new Date(nowMs) };
  const change = isLate ? approval : { ...approval, ...deadlines };
  return makeMove(cause, nowMs, { change, ended: endedAs('APPROVED', null, { reference }) });
}

export function declinedMove(
  cause: 'declined' | 'inquiryDeclined',
  { responseCode }: Declined,
  nowMs: number,
): PaymentMove {
  const { guestText, staffText } = denialFor(responseCode);
  return makeMove(cause, nowMs, {
    change: { responseCode, denialReason: guestText },
    ended: endedAs('DECLINED', staffText),
    details: { responseCode },
  });
}

export function endedAs(
  outcome: AttemptOutcome['outcome'],
  explanation: string | null,
  { reference = null, dueAt = null }: { reference?: string | null; dueAt?: Date | null } = {},
): AttemptOutcome {
  return { outcome, explanation, processorReference: reference, dueAt };
}

function lostMove(explanation: string, nowMs: number): PaymentMove {
  return makeMove('outcomeLost', nowMs, { ended: endedAs('UNKNOWN', explanation) });
}
