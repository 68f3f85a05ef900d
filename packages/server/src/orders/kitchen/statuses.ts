import type { OrderMove } from '@servery/contract';
import type { OrderRow } from '../order.ts';
import type { ShownPayment } from '../order-store.ts';
import { selectionsOf } from './due.ts';

type Order = Omit<OrderRow, 'dueAt'>;

/** ORD-58. */
export function guestStatusOf(order: Order): OrderRow['guestStatus'] {
  if (order.voidedAt) return 'VOIDED';
  const { checks } = order.content;
  if (order.fulfilledAt && checks.every(({ paymentStatus }) => paymentStatus !== 'OPEN')) {
    return 'CLOSED';
  }
  const statuses = selectionsOf(order).map(({ fulfillmentStatus }) => fulfillmentStatus);
  if (order.fulfilledAt) return 'READY_FOR_PICKUP';
  if (statuses.length > 0 && statuses.every((status) => status === 'READY')) {
    return 'READY_FOR_PICKUP';
  }
  return statuses.some((status) => status === 'SENT' || status === 'READY')
    ? 'IN_PREPARATION'
    : 'RECEIVED';
}

/** What a restaurant may decide about an order as it is now. */
export function legalMoves(order: Order, payments: readonly ShownPayment[]): OrderMove[] {
  if (order.voidedAt) return [];
  const isIn = (...wanted: readonly string[]) =>
    selectionsOf(order).some(({ fulfillmentStatus }) => wanted.includes(fulfillmentStatus ?? ''));
  const isApproved = order.approvalStatus === 'APPROVED' || order.approvalStatus === 'FUTURE';
  const cooks = isApproved && !order.fulfilledAt;
  const legal: readonly (readonly [OrderMove, boolean])[] = [
    ['approve', order.approvalStatus === 'NEEDS_APPROVAL'],
    ['reject', order.approvalStatus === 'NEEDS_APPROVAL'],
    ['fire', cooks && isIn('NEW', 'HOLD')],
    ['hold', !order.fulfilledAt && isIn('NEW')],
    ['ready', cooks && isIn('NEW', 'SENT')],
    ['fulfil', cooks],
    ['pay', true],
    ['voidPayment', !order.fulfilledAt && payments.some(({ voidedAt }) => voidedAt === null)],
    ['voidSelection', selectionsOf(order).length > 0],
    ['void', !order.fulfilledAt && !payments.some(isTaken)],
  ];
  return legal.filter(([, isLegal]) => isLegal).map(([move]) => move);
}

const taken = ['CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED', 'REVIEW'];

/** Whether its money is on the way to the restaurant, so that no void is possible. */
export function isTaken({ type, state, voidedAt }: ShownPayment): boolean {
  if (type !== 'CREDIT' || voidedAt) return false;
  return taken.some((one) => one === state);
}
