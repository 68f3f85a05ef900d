import type { Order } from '@servery/contract';
import type { Principal, RestaurantContext } from '../http/operation.ts';
import { orderOnWire } from './on-wire.ts';
import { type GuestData, noGuestData, type OrderRow } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { findOrder, listGuestData, listOrderPayments } from './order-store.ts';

/** Who looks: what is brought by a request is always shown in its answer (ORD-9). */
export type Viewer = 'everything' | Pick<Principal, 'scopes'>;

export async function showOrder(
  deps: Pick<OrderDeps, 'database'>,
  restaurant: RestaurantContext,
  guid: string,
  viewer: Viewer,
): Promise<{ readonly row: OrderRow; readonly order: Order } | null> {
  const row = await findOrder(deps.database.sql, restaurant.guid, guid);
  if (!row) return null;
  const [order] = await showOrders(deps, restaurant, [row], viewer);
  return order ? { row, order } : null;
}

/** In the order of the rows. */
export async function showOrders(
  { database: { sql } }: Pick<OrderDeps, 'database'>,
  { guid: restaurantGuid, currencyCode }: RestaurantContext,
  rows: readonly OrderRow[],
  viewer: Viewer,
): Promise<Order[]> {
  const guids = rows.map(({ guid }) => guid);
  const [guests, payments] = await Promise.all([
    listGuestData(sql, restaurantGuid, guids),
    listOrderPayments(sql, restaurantGuid, guids),
  ]);
  const guestsOf = new Map(guests.map(({ orderGuid, content }) => [orderGuid, content]));
  return rows.map((row) =>
    orderOnWire(row, {
      currencyCode,
      guests: visibleTo(viewer, guestsOf.get(row.guid) ?? noGuestData),
      payments: payments.filter(({ orderGuid }) => orderGuid === row.guid),
      isStored: true,
    }),
  );
}

/** ORD-9. */
function visibleTo(viewer: Viewer, guests: GuestData): GuestData {
  if (viewer === 'everything') return guests;
  const seesGuests = viewer.scopes.has('guest.pi:read');
  return {
    ...guests,
    customers: seesGuests ? guests.customers : {},
    curbside: seesGuests ? guests.curbside : null,
    delivery: viewer.scopes.has('delivery_info.address:read') ? guests.delivery : null,
  };
}
