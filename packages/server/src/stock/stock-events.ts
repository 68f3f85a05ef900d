import type { Sql } from '../database/database.ts';
import {
  queueRestaurantEvents,
  type RestaurantEvent,
} from '../webhooks/delivery/queue-restaurant-events.ts';
import type { MadeChange } from './change-store.ts';
import { listLiveMultiLocationIds } from './item-store.ts';

type StockEvent = Extract<RestaurantEvent, { type: (typeof stockEventTypes)[number] }>;

export const stockEventTypes = ['in_stock', 'low_quantity', 'out_of_stock'] as const;

const LOW_AT_MOST = 5;

/** HOOK-4: `sql` is the transaction of the changes, which must have each item once. */
export async function queueStockEvents(
  sql: Sql,
  restaurantGuid: string,
  at: Date,
  changes: readonly MadeChange[],
): Promise<void> {
  const told = changes.filter((change) => stockEventType(change) !== null);
  if (told.length === 0) return;
  const events = async () => {
    const guids = told.map(({ itemGuid }) => itemGuid);
    const items = await listLiveMultiLocationIds(sql, restaurantGuid, guids);
    return told.flatMap((change): StockEvent[] => {
      const { itemGuid, statusAfter: status, quantityAfter } = change;
      const multiLocationId = items.get(itemGuid);
      const type = stockEventType(change);
      if (multiLocationId === undefined || type === null) return [];
      const quantity = quantityAfter === null ? null : Number(quantityAfter);
      const versionId = itemGuid;
      const details = { itemGuid, restaurantGuid, status, quantity, multiLocationId, versionId };
      return [{ type, details }];
    });
  };
  await queueRestaurantEvents(sql, { restaurantGuid, types: stockEventTypes, at, events });
}

/** Null if only the time changed when the item is back in stock. */
export function stockEventType({
  statusBefore,
  quantityBefore,
  statusAfter,
  quantityAfter,
}: Pick<MadeChange, 'statusBefore' | 'quantityBefore' | 'statusAfter' | 'quantityAfter'>):
  | StockEvent['type']
  | null {
  if (statusBefore === statusAfter && quantityBefore === quantityAfter) return null;
  switch (statusAfter) {
    case 'IN_STOCK':
      return 'in_stock';
    case 'OUT_OF_STOCK':
      return 'out_of_stock';
    case 'QUANTITY':
      return Number(quantityAfter) > LOW_AT_MOST ? 'in_stock' : 'low_quantity';
  }
}
