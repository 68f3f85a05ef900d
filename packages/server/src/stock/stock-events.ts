import type { Sql } from '../database/database.ts';
import type {
  RestaurantEvent,
  RestaurantNews,
} from '../webhooks/delivery/queue-restaurant-events.ts';
import type { MadeChange, StockCause } from './change-store.ts';
import { listLiveMultiLocationIds } from './item-store.ts';

type StockEvent = Extract<RestaurantEvent, { type: (typeof stockEventTypes)[number] }>;

export const stockEventTypes = ['in_stock', 'low_quantity', 'out_of_stock'] as const;

const LOW_AT_MOST = 5;

/** HOOK-4: `sql` is the transaction of the changes, which must have each item once. */
export function stockNews(
  sql: Sql,
  restaurantGuid: string,
  at: Date,
  changes: readonly MadeChange[],
  cause: StockCause,
): RestaurantNews[] {
  const told = changes.filter((change) => stockEventType(change, cause) !== null);
  if (told.length === 0) return [];
  const events = async () => {
    const guids = told.map(({ itemGuid }) => itemGuid);
    const items = await listLiveMultiLocationIds(sql, restaurantGuid, guids);
    return told.flatMap((change): StockEvent[] => {
      const { itemGuid, statusAfter: status, quantityAfter } = change;
      const multiLocationId = items.get(itemGuid);
      const type = stockEventType(change, cause);
      if (multiLocationId === undefined || type === null) return [];
      const quantity = quantityAfter === null ? null : Number(quantityAfter);
      const versionId = itemGuid;
      const details = { itemGuid, restaurantGuid, status, quantity, multiLocationId, versionId };
      return [{ type, details }];
    });
  };
  return [{ restaurantGuid, types: stockEventTypes, at, events }];
}

/**
 * Null if nothing is told: only the time changed when the item is back in stock, or orders changed
 * the quantity without passing a limit.
 */
export function stockEventType(
  change: Pick<MadeChange, 'statusBefore' | 'quantityBefore' | 'statusAfter' | 'quantityAfter'>,
  cause: StockCause,
): StockEvent['type'] | null {
  const { statusBefore, quantityBefore, statusAfter, quantityAfter } = change;
  if (statusBefore === statusAfter && quantityBefore === quantityAfter) return null;
  switch (statusAfter) {
    case 'IN_STOCK':
      return 'in_stock';
    case 'OUT_OF_STOCK':
      return 'out_of_stock';
    case 'QUANTITY':
      if (statusBefore === 'QUANTITY' && (cause === 'ORDER' || cause === 'ORDER_VOID')) {
        return passedLimit(Number(quantityBefore), Number(quantityAfter));
      }
      return Number(quantityAfter) > LOW_AT_MOST ? 'in_stock' : 'low_quantity';
  }
}

/** Of a quantity that orders took from, or gave back to. */
function passedLimit(before: number, after: number): StockEvent['type'] | null {
  if (before >= LOW_AT_MOST && after < LOW_AT_MOST) return 'low_quantity';
  return before <= LOW_AT_MOST && after > LOW_AT_MOST ? 'in_stock' : null;
}
