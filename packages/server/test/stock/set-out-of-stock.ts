import type { Sql } from '../../src/database/database.ts';
import { updateStock } from '../../src/stock/change-store.ts';
import { findRestaurantForUpdate } from '../../src/stock/store.ts';

/** Takes an item off as another process does it: within a transaction, with its counter. */
export async function setOutOfStock(
  sql: Sql,
  restaurantGuid: string,
  itemGuid: string,
  until: Date | null = null,
): Promise<void> {
  await findRestaurantForUpdate(sql, restaurantGuid);
  const level = { status: 'OUT_OF_STOCK', quantity: null, until } as const;
  const maker = { by: 'system:test', requestId: null, at: new Date(0) };
  const reason = { cause: 'SET', keepsUntil: true } as const;
  await updateStock(sql, restaurantGuid, [{ itemGuid, ...level }], maker, reason);
}
