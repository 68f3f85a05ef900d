import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { commitOrReadBack } from '../../http/read-back.ts';
import type { Cause } from '../../payments/life/lifecycle.ts';
import type { OrderCause, OrderObserver } from '../order-observer.ts';
import { findOrder, isVersionOf, listOrderPayments } from '../order-store.ts';
import { findOrderingRestaurantForUpdate } from '../published-store.ts';
import { type Changing, type OrderChange, writeOrderChange } from '../write-change.ts';
import type { KitchenSettings } from './due.ts';

export interface DecideDeps {
  readonly database: Database;
  readonly observer?: OrderObserver;
  readonly orderSettings: KitchenSettings;
}

export interface OrderKey {
  readonly restaurantGuid: string;
  readonly orderGuid: string;
}

/** What a decision goes by. */
export type Deciding = Changing;

export interface Decision extends OrderChange {
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
  const deciding = { sql, order, payments, restaurant, origin, nowMs, news: [] };
  const decision = await decide(deciding);
  if (!decision) return { version: order.version, cause: null, moved: [] };
  const written = { ...deciding, by: origin };
  const { version } = await writeOrderChange(written, decision, deps.orderSettings);
  return { version, cause: decision.cause, moved: decision.moved ?? [] };
}

export function noSuchOrder(): ApiError {
  return new ApiError('notFound', 'The restaurant has no such order: check orderGuid in the path.');
}
