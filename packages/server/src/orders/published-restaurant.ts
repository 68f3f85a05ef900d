import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import type { OrderDeps } from './order-deps.ts';
import { findOrderingRestaurant, type PublishedRestaurant } from './published-store.ts';

/** Remembers what orders need to know of a restaurant until it or its menus change. */
export function restaurantReader(
  { sql }: Pick<Database, 'sql'>,
  remembered: Cache<PublishedRestaurant>,
): OrderDeps['restaurantOf'] {
  return async (guid) => {
    const subjects = [`restaurant:${guid}`, `menus:${guid}`] as const;
    const found = await remembered.get(guid, subjects, () => findOrderingRestaurant(sql, guid));
    return found?.value ?? null;
  };
}
