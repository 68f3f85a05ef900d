import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import type { RestaurantNews } from '../../webhooks/delivery/queue-restaurant-events.ts';
import type { PaymentMove } from './outcome.ts';
import type { PaymentKey, PaymentRow } from './store.ts';

interface MoveOfOrder {
  readonly before: PaymentRow;
  readonly after: PaymentRow;
  readonly move: PaymentMove;
}

/**
 * What the orders of this platform do when a payment of theirs moves: by itself (PAY-I10) or by the
 * hand of a person (ORD-50). Payments know nothing of orders; both are told of each other when the
 * server starts.
 */
export interface OrdersHere {
  /**
   * Makes a move in the transaction `sql`, with all that its order shows of it. `make` returns an
   * empty list if it moved nothing, and adds what is to be told.
   */
  moveWithOrder<Written extends readonly unknown[]>(
    sql: Sql,
    moved: MoveOfOrder,
    make: (news: RestaurantNews[]) => Promise<Written>,
  ): Promise<Written>;
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
