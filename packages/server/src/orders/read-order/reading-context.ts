import type { FaultPath, Faults } from '../../http/faults.ts';
import type { OrderDeps } from '../order-deps.ts';
import { findOrderingRestaurant } from '../published-store.ts';
import type { ReadingContext } from './reading.ts';

/**
 * Everything that an order is read and priced by, of one instant (ORD-25). `isAgain` if what is
 * remembered of the restaurant proved to be outdated.
 */
export async function readingContext(
  { database: { sql }, restaurantOf, findConfiguration, menusOf }: OrderDeps,
  restaurantGuid: string,
  rest: {
    readonly nowMs: number;
    readonly isPlaced: boolean;
    readonly faults: Faults;
    readonly path: FaultPath;
  },
  isAgain = false,
): Promise<ReadingContext> {
  const restaurant = await (isAgain
    ? findOrderingRestaurant(sql, restaurantGuid)
    : restaurantOf(restaurantGuid));
  if (!restaurant) throw new Error(`restaurant ${restaurantGuid} was admitted and has no row`);
  const configuration = await findConfiguration(sql, restaurant);
  const menus = await menusOf(restaurant);
  return { restaurant, configuration, menus, ...rest };
}
