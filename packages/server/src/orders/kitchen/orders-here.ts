import type { OrdersHere } from '../../payments/life/orders-here.ts';
import { findOrderOfCheck, findOrderPayment } from '../order-store.ts';
import { applyByHand } from './apply-by-hand.ts';
import { type DecideDeps, decideOrder } from './decide.ts';
import { followPayment } from './follow-payment.ts';
import { tipByHand } from './tip-by-hand.ts';
import { voidPayment } from './void.ts';

/** PAY-I10, ORD-50. */
export function ordersHere(deps: DecideDeps): OrdersHere {
  const { sql } = deps.database;
  return {
    moveWithOrder: followPayment(deps.orderSettings),
    async orderOfPayment({ merchantGuid, paymentUuid }) {
      const payment = await findOrderPayment(sql, merchantGuid, paymentUuid);
      return payment?.orderGuid ?? null;
    },
    orderOfCheck: (restaurantGuid, checkGuid) => findOrderOfCheck(sql, restaurantGuid, checkGuid),
    async applyToCheck(orderGuid, { merchantGuid, paymentUuid }, checkGuid, origin) {
      const key = { restaurantGuid: merchantGuid, orderGuid };
      await decideOrder(deps, key, origin, applyByHand(paymentUuid, checkGuid));
    },
    async changeTip(orderGuid, { merchantGuid, paymentUuid }, tipMinor, origin) {
      const key = { restaurantGuid: merchantGuid, orderGuid };
      await decideOrder(deps, key, origin, tipByHand(paymentUuid, tipMinor));
    },
    async voidPayment(orderGuid, { merchantGuid, paymentUuid }, reason, origin) {
      const key = { restaurantGuid: merchantGuid, orderGuid };
      await decideOrder(deps, key, origin, voidPayment(paymentUuid, reason));
    },
  };
}
