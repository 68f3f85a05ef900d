import type { OrderCheck, OrderPaymentRow } from './order.ts';
import type { ShownPayment } from './order-store.ts';

type Paid = Pick<OrderPaymentRow, 'type' | 'checkGuid' | 'amountMinor' | 'tipMinor' | 'paidAt'> & {
  readonly isVoided: boolean;
  /** Whether its tip can still be lowered. */
  readonly isAuthorized: boolean;
};

/** As the authorization behind it is now. */
export function asPaid(payment: ShownPayment): Paid {
  const { state, voidedAt } = payment;
  return {
    ...payment,
    isVoided: voidedAt !== null,
    isAuthorized: state === 'APPLIED' || state === 'CAPTURE_SCHEDULED',
  };
}

/** ORD-57. */
export function settleCheck(
  check: OrderCheck,
  payments: readonly Paid[],
  { isFulfilled, nowMs }: { readonly isFulfilled: boolean; readonly nowMs: number },
): OrderCheck {
  const valid = payments.filter(({ checkGuid, isVoided }) => checkGuid === check.guid && !isVoided);
  const sumOf = (field: 'amountMinor' | 'tipMinor') =>
    valid.reduce((sum, payment) => sum + payment[field], 0);
  const due =
    Math.max(0, check.totalMinor - sumOf('amountMinor')) +
    Math.max(0, check.gratuityMinor - sumOf('tipMinor'));
  const isOpen = due > 0 || (valid.length === 0 && !isFulfilled);
  const mayBeTipped = valid.some(
    ({ type, tipMinor, isAuthorized }) => type === 'CREDIT' && tipMinor === 0 && isAuthorized,
  );
  const paymentStatus = isOpen ? 'OPEN' : mayBeTipped ? 'PAID' : 'CLOSED';
  const paidAtMs =
    isOpen || valid.length === 0 ? null : Math.max(...valid.map(({ paidAt }) => paidAt.getTime()));
  const closedAtMs = paymentStatus === 'CLOSED' ? (check.closedAtMs ?? nowMs) : null;
  return { ...check, paymentStatus, paidAtMs, closedAtMs };
}
