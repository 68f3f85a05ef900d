import type { Order } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import { attestEntries, originOf } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { RestaurantRequest } from '../http/operation.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import type { OrderDeps } from './order-deps.ts';
import { findOrder, isVersionOf, listOrderPayments } from './order-store.ts';
import { findOrderingRestaurantForUpdate } from './published-store.ts';
import { showOrder } from './show-order.ts';
import { type Changing, type OrderChange, writeOrderChange } from './write-change.ts';

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
    const payments = await listOrderPayments(sql, restaurant.guid, [order.guid]);
    const changing = { sql, order, payments, restaurant: locked, origin, nowMs, news: [] };
    const made = await change(changing);
    const written = { ...changing, by: origin };
    const after = await writeOrderChange(written, made, deps.orderSettings);
    return { after, cause: made.cause };
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
