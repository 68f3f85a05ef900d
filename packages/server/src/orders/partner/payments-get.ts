import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { paymentOnWire } from '../on-wire.ts';
import type { OrderDeps } from '../order-deps.ts';
import { findOrder, findOrderPayment } from '../order-store.ts';
import { readableOwner } from '../reach-orders.ts';

/** ORD-62. */
export function getOrderPaymentHandler({
  database: { sql },
}: Pick<OrderDeps, 'database'>): HandlerOf<'orders.payments.get'> {
  return async ({ restaurant, principal, params }) => {
    const guid = parseGuid(params.guid);
    if (guid === null) {
      throw new ApiError(
        'badRequest',
        'The path must end with a GUID: check what follows /payments/.',
      );
    }
    const payment = await findOrderPayment(sql, restaurant.guid, guid);
    const order = payment && (await findOrder(sql, restaurant.guid, payment.orderGuid));
    const owner = readableOwner(principal);
    if (!order || (owner !== null && order.ownerGuid !== owner)) {
      throw new ApiError(
        'notFound',
        'No order of this restaurant that you can read has such a payment: check the GUID.',
      );
    }
    return { json: paymentOnWire(payment, restaurant.currencyCode) };
  };
}
