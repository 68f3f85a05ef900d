import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { commitOrReadBack } from '../../http/read-back.ts';
import type { Cause } from '../../payments/life/lifecycle.ts';
import type { OrderContent, OrderRow } from '../order.ts';
import type { OrderCause, OrderObserver } from '../order-observer.ts';
import {
  findOrder,
  isVersionOf,
  listOrderPayments,
  nextModifiedAt,
  type ShownPayment,
  updateOrder,
} from '../order-store.ts';
import { findOrderingRestaurantForUpdate, type OrderingRestaurant } from '../published-store.ts';
import { recordOrderChange } from '../record-order-change.ts';
import { asPaid, settleCheck } from '../settle-check.ts';
import { dueOf, type KitchenSettings } from './due.ts';
import { guestStatusOf } from './statuses.ts';

export interface DecideDeps {
  readonly database: Database;
  readonly observer?: OrderObserver;
  readonly orderSettings: KitchenSettings;
}

export interface OrderKey {
  readonly restaurantGuid: string;
  readonly orderGuid: string;
}

/** What a decision goes by, while the restaurant is locked. */
export interface Deciding {
  readonly sql: Sql;
  readonly order: OrderRow;
  readonly payments: readonly ShownPayment[];
  readonly restaurant: OrderingRestaurant;
  readonly origin: ChangeOrigin;
  readonly nowMs: number;
}

export interface Decision {
  readonly cause: OrderCause;
  /** Never guest data. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly content?: OrderContent;
  readonly row?: Partial<Pick<OrderRow, 'approvalStatus' | 'fulfilledAt' | 'voidedAt'>>;
  /** What was done to authorizations. */
  readonly moved?: readonly Cause[];
}

/** Null if nothing is left to do. Throws ApiError `conflict` for what the state forbids. */
export type Decide = (deciding: Deciding) => Promise<Decision | null>;

/** Somebody else moved a payment since it was read. */
export class PaymentMoved extends Error {}

const TRIES = 5;

/** One decision about an order, in one transaction with all that it causes. */
export async function decideOrder(
  deps: DecideDeps,
  key: OrderKey,
  origin: ChangeOrigin,
  decide: Decide,
): Promise<void> {
  const { database } = deps;
  const { restaurantGuid, orderGuid: guid } = key;
  for (let tried = 1; tried <= TRIES; tried += 1) {
    try {
      const made = await commitOrReadBack(
        database,
        (sql) => decideWithin(deps, sql, key, origin, decide),
        ({ version }) => isVersionOf(database.sql, { restaurantGuid, guid, version }, origin),
      );
      for (const cause of made.moved) deps.observer?.moved(cause);
      if (made.cause) deps.observer?.changed(made.cause);
      return;
    } catch (error) {
      if (!(error instanceof PaymentMoved)) throw error;
    }
  }
  throw new ApiError('conflict', 'Somebody else is changing a payment of this order: try again.');
}

interface Made extends Required<Pick<Decision, 'moved'>> {
  readonly version: number;
  /** Null if nothing was left to do. */
  readonly cause: OrderCause | null;
}

async function decideWithin(
  deps: Pick<DecideDeps, 'orderSettings'>,
  sql: Sql,
  { restaurantGuid, orderGuid }: OrderKey,
  origin: ChangeOrigin,
  decide: Decide,
): Promise<Made> {
  const restaurant = await findOrderingRestaurantForUpdate(sql, restaurantGuid);
  const order = await findOrder(sql, restaurantGuid, orderGuid);
  if (!order) throw noSuchOrder();
  const payments = await listOrderPayments(sql, restaurantGuid, [orderGuid]);
  const nowMs = origin.at.getTime();
  const decision = await decide({ sql, order, payments, restaurant, origin, nowMs });
  if (!decision) return { version: order.version, cause: null, moved: [] };
  const { cause, details = null, content = order.content, row, moved = [] } = decision;
  const modifiedAt = await nextModifiedAt(sql, restaurantGuid, origin.at);
  const changed = { ...order, ...row, content, modifiedAt, version: order.version + 1 };
  const paymentsAfter = await listOrderPayments(sql, restaurantGuid, [orderGuid]);
  const settled = settleChecks(changed, paymentsAfter, nowMs);
  const dueAt = dueOf(settled, restaurant, deps.orderSettings);
  const after = { ...settled, guestStatus: guestStatusOf(settled), dueAt };
  await updateOrder(sql, order, after);
  const { currencyCode } = restaurant;
  const told = { before: order, after, paymentsBefore: payments, paymentsAfter, currencyCode };
  await recordOrderChange(sql, { ...told, cause, details, origin });
  return { version: after.version, cause, moved };
}

/** With the payments as the decision left them. */
function settleChecks(order: OrderRow, payments: readonly ShownPayment[], nowMs: number): OrderRow {
  if (order.voidedAt) return order;
  const { content, fulfilledAt } = order;
  const paid = payments.map(asPaid);
  const checks = content.checks.map((check) =>
    settleCheck(check, paid, { isFulfilled: fulfilledAt !== null, nowMs }),
  );
  return { ...order, content: { ...content, checks } };
}

export function noSuchOrder(): ApiError {
  return new ApiError('notFound', 'The restaurant has no such order: check orderGuid in the path.');
}
