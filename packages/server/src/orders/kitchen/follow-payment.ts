import type { OrdersHere } from '../../payments/life/orders-here.ts';
import type { OrderRow } from '../order.ts';
import { findOrder, listOrderPayments, updatePaymentVoided } from '../order-store.ts';
import { findOrderingRestaurantForUpdate } from '../published-store.ts';
import { businessDateOf } from '../times.ts';
import { writeOrderChange } from '../write-change.ts';
import type { KitchenSettings } from './due.ts';

/** PAY-I10: a payment of an order moved by itself, or by the hand of a person. */
export function followPayment(settings: KitchenSettings): OrdersHere['moveWithOrder'] {
  return async (sql, { before, after, move }, make) => {
    const { merchantGuid: restaurantGuid, paymentUuid, orderGuid, checkGuid } = before;
    if (orderGuid === null) throw new Error(`payment ${paymentUuid} is on no order`);
    // The restaurant first, as every change of an order: nobody can wait for each other.
    const [restaurant, order, payments] = await Promise.all([
      findOrderingRestaurantForUpdate(sql, restaurantGuid),
      findOrder(sql, restaurantGuid, orderGuid),
      listOrderPayments(sql, restaurantGuid, [orderGuid]),
    ]);
    if (!order)
      throw new Error(`payment ${paymentUuid} is on order ${orderGuid}, which has no row`);
    const changing = { sql, order, payments, restaurant, nowMs: move.nowMs, news: [] };
    const written = await make(changing.news);
    if (written.length === 0) return written;
    // A void that turned out to be none is for people: the payment counts until they decide.
    const key = { restaurantGuid, paymentUuid };
    if (after.state === 'REVIEW') await updatePaymentVoided(sql, key, null);
    if (after.state === 'VOID_PENDING') {
      const voidBusinessDate = businessDateOf(move.nowMs, restaurant);
      await updatePaymentVoided(sql, key, { voidedAt: new Date(move.nowMs), voidBusinessDate });
    }
    const { by, requestId } = move.origin ?? { by: 'system:payments', requestId: null };
    const change = {
      cause: 'paymentMoved' as const,
      details: { paymentUuid, move: move.cause, state: after.state },
      content: touched(order, checkGuid, move.nowMs),
    };
    await writeOrderChange({ ...changing, by: { by, requestId } }, change, settings);
    return written;
  };
}

function touched({ content }: OrderRow, checkGuid: string | null, nowMs: number) {
  const checks = content.checks.map((check) =>
    check.guid === checkGuid ? { ...check, modifiedAtMs: nowMs } : check,
  );
  return { ...content, checks };
}
