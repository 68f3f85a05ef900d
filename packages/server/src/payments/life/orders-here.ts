import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { PaymentKey } from './store.ts';

/**
 * What the orders of this platform do when a person moves a payment by hand (ORD-50). Payments know
 * nothing of orders; both are told of each other when the server starts.
 */
export interface OrdersHere {
  /** The order that has the payment, if it is one of this platform. */
  orderOfPayment(key: PaymentKey): Promise<string | null>;
  /** The order that has the check, if it is one of this platform. */
  orderOfCheck(restaurantGuid: string, checkGuid: string): Promise<string | null>;
  applyToCheck(
    orderGuid: string,
    key: PaymentKey,
    checkGuid: string,
    origin: ChangeOrigin,
  ): Promise<void>;
  changeTip(
    orderGuid: string,
    key: PaymentKey,
    tipMinor: number,
    origin: ChangeOrigin,
  ): Promise<void>;
  voidPayment(
    orderGuid: string,
    key: PaymentKey,
    reason: string,
    origin: ChangeOrigin,
  ): Promise<void>;
}
