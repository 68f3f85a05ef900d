import type { BackOfficePayment, PaymentDeadline } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import { amountOnWire } from '../life/money.ts';
import { legalMovesNow } from '../life/orders.ts';
import type { PaymentRow } from '../life/store.ts';
import { authorizedMinor, currentTipMinor } from '../life/tip.ts';

export function paymentOnWire(payment: PaymentRow, nowMs: number): BackOfficePayment {
  const { currencyCode, capturedMinor } = payment;
  const amount = (minor: number) => amountOnWire(minor, currencyCode);
  return {
    merchantGuid: payment.merchantGuid,
    paymentUuid: payment.paymentUuid,
    paymentState: payment.state,
    version: payment.version,
    attempt: payment.attempt,
    clientId: payment.clientId,
    currencyCode,
    amount: amount(payment.amountMinor),
    tipAmount: amount(currentTipMinor(payment)),
    authorizedAmount: payment.authorizedAt ? amount(authorizedMinor(payment)) : null,
    capturedAmount: capturedMinor === null ? null : amount(capturedMinor),
    cardBrand: payment.cardBrand,
    cardFirst6: payment.cardFirst6,
    cardLast4: payment.cardLast4,
    authorizationCode: payment.authorizationCode,
    responseCode: payment.responseCode,
    denialReason: payment.denialReason,
    error: payment.error,
    checkGuid: payment.checkGuid,
    voidReason: payment.voidReason,
    createdAt: isoTimestamp(payment.createdAt),
    modifiedAt: isoTimestamp(payment.modifiedAt),
    authorizedAt: instantOnWire(payment.authorizedAt),
    applyDeadline: instantOnWire(payment.applyDeadline),
    captureDeadline: instantOnWire(payment.captureDeadline),
    captureAt: instantOnWire(payment.captureAt),
    nextDeadline: deadlineOnWire(payment),
    legalMoves: legalMovesNow(payment, nowMs),
  };
}

function instantOnWire(instant: Date | null): string | null {
  return instant && isoTimestamp(instant);
}

const actions: Partial<Record<PaymentState, PaymentDeadline['action']>> = {
  AUTHORIZED: 'VOID',
  APPLIED: 'VOID',
  VOID_PENDING: 'VOID',
  CAPTURE_SCHEDULED: 'CAPTURE',
  CAPTURE_PENDING: 'CAPTURE',
};

/** After its deadline, an unanswered capture is only inquired. */
function deadlineOnWire({ dueAt, state, captureDeadline }: PaymentRow): PaymentDeadline | null {
  if (!dueAt) return null;
  const isPast = captureDeadline !== null && dueAt >= captureDeadline;
  const action = state === 'CAPTURE_PENDING' && isPast ? 'SETTLE' : (actions[state] ?? 'SETTLE');
  return { at: isoTimestamp(dueAt), action };
}
