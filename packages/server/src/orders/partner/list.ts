import type { HandlerOf } from '../../http/operation.ts';
import { listOrderGuids } from '../find-orders-store.ts';
import type { OrderDeps } from '../order-deps.ts';
import { readableOwner } from '../reach-orders.ts';
import { readDates } from './read-dates.ts';

export function listOrdersHandler({
  database: { sql },
}: Pick<OrderDeps, 'database'>): HandlerOf<'orders.list'> {
  return async ({ restaurant, principal, query, faults }) => {
    const by = readDates(query, faults, { isWithinHour: true });
    const ownerGuid = readableOwner(principal);
    return { json: await listOrderGuids(sql, { restaurantGuid: restaurant.guid, ownerGuid, by }) };
  };
}
