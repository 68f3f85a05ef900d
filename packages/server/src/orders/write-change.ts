import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { RestaurantNews } from '../webhooks/delivery/queue-restaurant-events.ts';
import { dueOf, type KitchenSettings } from './kitchen/due.ts';
import { guestStatusOf } from './kitchen/statuses.ts';
import type { OrderContent, OrderRow } from './order.ts';
import type { OrderCause } from './order-observer.ts';
import {
  listOrderPayments,
  nextModifiedAt,
  type ShownPayment,
  updateOrder,
} from './order-store.ts';
import type { OrderingRestaurant } from './published-store.ts';
import { recordOrderChange } from './record-order-change.ts';
import { asPaid, settleCheck } from './settle-check.ts';

/** What a change goes by, while the restaurant is locked. */
export interface Changing {
  readonly sql: Sql;
  readonly order: OrderRow;
  /** As they were before the change. */
  readonly payments: readonly ShownPayment[];
  readonly restaurant: OrderingRestaurant;
  readonly origin: ChangeOrigin;
  readonly nowMs: number;
  /** What is told at the end of the transaction, beside the change itself. */
  readonly news: RestaurantNews[];
}

export interface OrderChange<Word extends string = OrderCause> {
  readonly cause: Word;
  /** Never guest data. */
  readonly details?: Readonly<Record<string, unknown>> | null;
  readonly content?: OrderContent;
  readonly row?: Partial<Pick<OrderRow, 'approvalStatus' | 'fulfilledAt' | 'voidedAt'>>;
}

export type Written = Omit<Changing, 'origin'> & {
  readonly by: Pick<ChangeOrigin, 'by' | 'requestId'>;
  /** Absent if an audit log entry of something else tells of the change. */
  readonly origin?: ChangeOrigin;
};

/**
 * The end of every change of an order: what it shows follows its payments as they are now (PAY-I10),
 * and everybody is told.
 */
export async function writeOrderChange(
  written: Written,
  { cause, details = null, content, row }: OrderChange<OrderCause | 'paymentMoved'>,
  settings: KitchenSettings,
): Promise<OrderRow> {
  const { sql, order: before, payments: paymentsBefore, restaurant, nowMs } = written;
  const { restaurantGuid, guid } = before;
  const [modifiedAt, payments] = await Promise.all([
    nextModifiedAt(sql, restaurantGuid, new Date(nowMs)),
    listOrderPayments(sql, restaurantGuid, [guid]),
  ]);
  const changed = { ...before, ...row, content: content ?? before.content };
  const settled = settleChecks(changed, payments, nowMs);
  const dated = { ...settled, modifiedAt, version: before.version + 1 };
  const dueAt = dueOf(dated, restaurant, settings);
  const after = { ...dated, guestStatus: guestStatusOf(dated), dueAt };
  const { currencyCode } = restaurant;
  const told = { before, after, paymentsBefore, payments, currencyCode };
  const { by, origin, news } = written;
  await updateOrder(sql, before, after);
  await recordOrderChange(sql, { ...told, cause, details, by, origin, news, nowMs });
  return after;
}

function settleChecks(order: OrderRow, payments: readonly ShownPayment[], nowMs: number): OrderRow {
  if (order.voidedAt) return order;
  const when = { isFulfilled: order.fulfilledAt !== null, nowMs };
  const paid = payments.map(asPaid);
  const checks = order.content.checks.map((check) => settleCheck(check, paid, when));
  return { ...order, content: { ...order.content, checks } };
}
