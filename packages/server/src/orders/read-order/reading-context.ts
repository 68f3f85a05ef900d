import type { Sql } from '../../database/database.ts';
import type { FaultPath, Faults } from '../../http/faults.ts';
import type { OrderDeps } from '../order-deps.ts';
import { findOrderingRestaurant } from '../published-store.ts';
import type { ReadingContext } from './reading.ts';

/** Everything that an order is read and priced by, of one instant (ORD-25). */
export async function readingContext(
  { database: { sql }, findConfiguration, menusOf }: OrderDeps,
  restaurantGuid: string,
  rest: {
    readonly nowMs: number;
    readonly isPlaced: boolean;
    readonly faults: Faults;
    readonly path: FaultPath;
  },
): Promise<ReadingContext> {
  const restaurant = await requireRestaurant(sql, restaurantGuid);
  const configuration = await findConfiguration(sql, restaurant);
  const menus = await menusOf(restaurant);
  return { restaurant, configuration, menus, ...rest };
}

async function requireRestaurant(sql: Sql, guid: string) {
  const restaurant = await findOrderingRestaurant(sql, guid);
  if (!restaurant) throw new Error(`restaurant ${guid} was admitted and has no row`);
  return restaurant;
}
