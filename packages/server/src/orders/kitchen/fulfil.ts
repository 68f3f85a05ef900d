import { captureTime } from '../../payments/due/close-out.ts';
import type { Cause } from '../../payments/life/lifecycle.ts';
import { makeMove } from '../../payments/life/outcome.ts';
import { recordMoveWithin } from '../../payments/life/record.ts';
import { findPayment } from '../../payments/life/store.ts';
import type { DeliveryProgress, OrderContent, OrderPaymentRow } from '../order.ts';
import { type Decide, type Deciding, PaymentMoved } from './decide.ts';
import { withStatus } from './prepare.ts';
import { illegal } from './refuse.ts';

const all = ['NEW', 'HOLD', 'SENT'] as const;

/** ORD-49: the guest has everything; what was authorized is captured at the closeout. */
export const fulfil: Decide = async (deciding) => {
  const { order, nowMs } = deciding;
  if (order.voidedAt || order.approvalStatus === 'NEEDS_APPROVAL') {
    throw illegal(deciding, 'fulfil');
  }
  if (order.fulfilledAt) return null;
  const moved = await schedule(deciding, null);
  const prepared = withStatus(order.content, 'READY', { from: all, guids: null, nowMs });
  return {
    cause: 'fulfilled',
    content: withDelivery(prepared, nowMs),
    row: { fulfilledAt: new Date(nowMs), approvalStatus: 'APPROVED' },
    moved,
  };
};

/**
 * ORD-49, at the closeout of the order's business day: captures what was applied, and fulfills the
 * order if it is paid.
 */
export const closeOut: Decide = async (deciding) => {
  const { order, nowMs } = deciding;
  const moved = await schedule(deciding, nowMs);
  const content = { ...order.content, closedOutAtMs: nowMs };
  const isPaid = content.checks.every(({ paymentStatus }) => paymentStatus !== 'OPEN');
  if (!isPaid) return { cause: 'closedOut', content, moved };
  const prepared = withStatus(content, 'READY', { from: all, guids: null, nowMs });
  return {
    cause: 'closedOut',
    content: withDelivery(prepared, nowMs),
    row: { fulfilledAt: new Date(nowMs), approvalStatus: 'APPROVED' },
    moved,
  };
};

/** ORD-49: what pays for an order that was fulfilled or closed out before is captured, too. */
export async function scheduleLate(
  deciding: Deciding,
  added: readonly OrderPaymentRow[],
): Promise<Cause[]> {
  const { fulfilledAt, content } = deciding.order;
  if (fulfilledAt === null && content.closedOutAtMs === null) return [];
  return await schedule({ ...deciding, payments: added }, null);
}

/** `captureAtMs` null: at the closeout that ends the business day. */
async function schedule(
  deciding: Omit<Deciding, 'payments'> & { readonly payments: readonly OrderPaymentRow[] },
  captureAtMs: number | null,
): Promise<Cause[]> {
  const { sql, payments, restaurant, origin, nowMs, news } = deciding;
  const moved: Cause[] = [];
  for (const { paymentUuid, type, voidedAt } of inOrder(payments)) {
    if (type !== 'CREDIT' || voidedAt) continue;
    const payment = await findPayment(sql, { merchantGuid: restaurant.guid, paymentUuid });
    // One that a person fulfilled or captured by hand goes its own way.
    if (payment?.state !== 'APPLIED' || !payment.captureDeadline) continue;
    const latestMs = payment.captureDeadline.getTime();
    const captureAt = new Date(captureAtMs ?? captureTime(nowMs, latestMs, restaurant));
    const move = makeMove('orderFulfilled', nowMs, {
      change: { captureAt },
      details: { by: origin.by },
    });
    if (!(await recordMoveWithin(sql, payment, move, news))) throw new PaymentMoved();
    moved.push('orderFulfilled');
  }
  return moved;
}

/** So that two transactions can't wait for each other. */
export const inOrder = <Payment extends { readonly paymentUuid: string }>(
  payments: readonly Payment[],
) => payments.toSorted((one, other) => (one.paymentUuid < other.paymentUuid ? -1 : 1));

function withDelivery(content: OrderContent, nowMs: number): OrderContent {
  if (!content.delivery) return content;
  const { dispatchedAtMs, deliveredAtMs } = content.delivery;
  const delivery: DeliveryProgress = {
    ...content.delivery,
    state: 'DELIVERED',
    dispatchedAtMs: dispatchedAtMs ?? nowMs,
    deliveredAtMs: deliveredAtMs ?? nowMs,
  };
  return { ...content, delivery };
}
