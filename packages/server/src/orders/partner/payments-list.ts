import type { HandlerOf } from '../../http/operation.ts';
import { listPaymentGuids } from '../find-orders-store.ts';
import type { OrderDeps } from '../order-deps.ts';
import { readableOwner } from '../reach-orders.ts';
import { readDay } from './read-dates.ts';

/** ORD-62. Nothing is ever refunded, so that list is empty. */
export function listOrderPaymentsHandler({
  database: { sql },
}: Pick<OrderDeps, 'database'>): HandlerOf<'orders.payments.list'> {
  return async ({ restaurant, principal, query, faults }) => {
    const { paidBusinessDate, voidBusinessDate, refundBusinessDate } = query;
    const sent = [paidBusinessDate, voidBusinessDate, refundBusinessDate];
    if (sent.filter((date) => date !== undefined).length !== 1) {
      faults.addMissing(
        ['paidBusinessDate'],
        'is one of three dates, with voidBusinessDate and refundBusinessDate: send exactly one',
      );
    }
    const paid = readDay('paidBusinessDate', paidBusinessDate, faults);
    const voided = readDay('voidBusinessDate', voidBusinessDate, faults);
    readDay('refundBusinessDate', refundBusinessDate, faults);
    faults.refuse();
    const by = paid !== null ? { paid } : voided !== null ? { voided } : null;
    if (!by) return { json: [] };
    return {
      json: await listPaymentGuids(sql, restaurant.guid, readableOwner(principal), by),
    };
  };
}
