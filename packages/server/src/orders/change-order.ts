import type { Order } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import { attestEntries, originOf } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { RestaurantRequest } from '../http/operation.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import { dueOf } from './kitchen/due.ts';
import { guestStatusOf } from './kitchen/statuses.ts';
import type { OrderContent, OrderRow } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import type { OrderCause } from './order-observer.ts';
import {
  findOrder,
  isVersionOf,
  listOrderPayments,
  nextModifiedAt,
  updateOrder,
} from './order-store.ts';
import { findOrderingRestaurantForUpdate, type OrderingRestaurant } from './published-store.ts';
import { recordOrderChange } from './record-order-change.ts';
import { showOrder } from './show-order.ts';

export interface Changing {
  readonly sql: Sql;
  readonly order: OrderRow;
  readonly restaurant: OrderingRestaurant;
  readonly origin: ChangeOrigin;
  readonly nowMs: number;
}

export interface OrderChange {
  readonly cause: OrderCause;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly content: OrderContent;
  readonly row?: Partial<Pick<OrderRow, 'voidedAt' | 'approvalStatus'>>;
}

export type ChangeRequest = Pick<
  RestaurantRequest,
  'principal' | 'restaurant' | 'requestId' | 'operation' | 'nowMs'
>;

/**
 * Changes an order that the caller reaches, and shows it as it is then. `change` runs while the
 * restaurant is locked. Throws ApiError `notFound`, and `conflict` if the order was voided.
 */
export async function changeOrder(
  deps: Pick<OrderDeps, 'database' | 'realClock' | 'orderSettings' | 'observer'> & {
    readonly vault: Pick<Vault, 'digest'>;
  },
  request: ChangeRequest,
  named: { readonly orderGuid: string; readonly ownerGuid: string | null },
  change: (changing: Changing) => Promise<OrderChange>,
): Promise<Order> {
  const { principal, restaurant, nowMs } = request;
  const { database } = deps;
  const by = principal.clientId;
  const origin = originOf({ ...request, by, attest: attestEntries(deps.vault) }, deps.realClock);
  const run = async (sql: Sql) => {
    const locked = await findOrderingRestaurantForUpdate(sql, restaurant.guid);
    const order = await findOrder(sql, restaurant.guid, named.orderGuid);
    if (!order || (named.ownerGuid !== null && order.ownerGuid !== named.ownerGuid)) {
      throw new ApiError(
        'notFound',
        'This restaurant has no such order that you can change: check orderGuid.',
      );
    }
    if (order.voidedAt) {
      throw new ApiError('conflict', `The order ${order.guid} was voided: place a new one.`);
    }
    const paymentsBefore = await listOrderPayments(sql, restaurant.guid, [order.guid]);
    const made = await change({ sql, order, restaurant: locked, origin, nowMs });
    const { cause, details = null, content, row } = made;
    const modifiedAt = await nextModifiedAt(sql, restaurant.guid, new Date(nowMs));
    const grown = { ...order, ...row, content, modifiedAt, version: order.version + 1 };
    const dueAt = dueOf(grown, locked, deps.orderSettings);
    const after = { ...grown, guestStatus: guestStatusOf(grown), dueAt };
    await updateOrder(sql, order, after);
    const { currencyCode } = locked;
    const paymentsAfter = await listOrderPayments(sql, restaurant.guid, [order.guid]);
    const told = { before: order, after, paymentsBefore, paymentsAfter, currencyCode };
    await recordOrderChange(sql, { ...told, cause, details, origin });
    return { after, cause };
  };
  // Somebody else may have made a version with this number.
  const changed = await commitOrReadBack(database, run, (made) =>
    isVersionOf(database.sql, made.after, origin),
  );
  deps.observer?.changed(changed.cause);
  const { guid } = changed.after;
  const shown = await showOrder(deps, restaurant, guid, principal);
  if (!shown) throw new Error(`order ${guid} was changed and has no row`);
  return shown.order;
}
