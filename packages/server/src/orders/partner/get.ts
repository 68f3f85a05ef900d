import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import type { OrderRow } from '../order.ts';
import { type OrderDeps, ownerOf } from '../order-deps.ts';
import { findOrder, listOrdersByExternalId } from '../order-store.ts';
import { readableOwner } from '../reach-orders.ts';
import { showOrders } from '../show-order.ts';

export function getOrderHandler(deps: Pick<OrderDeps, 'database'>): HandlerOf<'orders.get'> {
  return async (request) => {
    const { restaurant, principal } = request;
    const row = await findNamed(deps, request);
    const owner = readableOwner(principal);
    if (!row || (owner !== null && row.ownerGuid !== owner)) throw noSuchOrder();
    const [order] = await showOrders(deps, restaurant, [row], principal);
    if (!order) throw noSuchOrder();
    return { json: order };
  };
}

/** ORD-7. Of equal identifiers of several owners, the caller's own counts first. */
async function findNamed(
  { database: { sql } }: Pick<OrderDeps, 'database'>,
  { restaurant, params, principal }: RequestFor<'orders.get'>,
): Promise<OrderRow | null> {
  const named = params.guid;
  const guid = parseGuid(named);
  if (guid !== null) return await findOrder(sql, restaurant.guid, guid);
  if (!named.includes(':')) {
    throw new ApiError(
      'badRequest',
      'The path must end with a GUID, or an externalId with a colon: check what follows /orders/.',
    );
  }
  const rows = await listOrdersByExternalId(sql, restaurant.guid, named);
  const own = ownerOf(principal);
  return rows.find(({ ownerGuid }) => ownerGuid === own) ?? rows[0] ?? null;
}

function noSuchOrder(): ApiError {
  return new ApiError(
    'notFound',
    'This restaurant has no such order that you can read: check the identifier.',
  );
}
