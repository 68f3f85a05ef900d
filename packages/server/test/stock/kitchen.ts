import { randomBytes } from 'node:crypto';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import type { ZeroQuantity } from '../../src/stock/level.ts';
import { stockHandlers } from '../../src/stock/partner/handlers.ts';
import type { TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, NOW_MS, type TestAnswer } from '../request.ts';
import { insertObject, insertRestaurant, type ObjectParts } from '../rows.ts';

/** A restaurant of its own for one test, and its stock operations. */
export interface Kitchen {
  readonly restaurantGuid: string;
  /** Inserts a menu item; gives its guid. */
  item(parts?: ObjectParts): Promise<string>;
  list(query?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  search(body: unknown): Promise<TestAnswer>;
  update(body: unknown, nowMs?: number): Promise<TestAnswer>;
  /** Guid and status, with the quantity if there is one, of what is not in stock. */
  listed(): Promise<string[]>;
}

/** Opens a new restaurant without items. */
export async function openKitchen(
  { database }: TestDatabase,
  zeroQuantity: ZeroQuantity = 'reject',
): Promise<Kitchen> {
  const restaurant = await insertRestaurant(database.sql);
  const realClock = new FixedClock(NOW_MS);
  const vault = createVault(randomBytes(32));
  const handlers = stockHandlers({
    ...idleCaches(database),
    database,
    realClock,
    vault,
    zeroQuantity,
  });
  const list = (query = {}) => callOperation(handlers, 'stock.list', { restaurant, query });
  return {
    restaurantGuid: restaurant.guid,
    item: (parts = {}) => insertObject(database.sql, restaurant.guid, 'menuItems', parts),
    list,
    search: (body) => callOperation(handlers, 'stock.search', { restaurant, body }),
    update: (body, nowMs) =>
      callOperation(handlers, 'stock.update', { restaurant, body, ...(nowMs && { nowMs }) }),
    listed: async () => {
      const { body } = await list();
      return body.map((element: { guid: string; status: string; quantity: number | null }) =>
        [element.guid, element.status, element.quantity].filter((part) => part !== null).join(' '),
      );
    },
  };
}
