import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../database/database.ts';
import { updateStock } from './change-store.ts';

/** The stock of an item that is not simply in stock; `quantity` is a decimal text. */
export interface StoredStock {
  readonly itemGuid: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: string | null;
}

/**
 * Makes a restaurant's stock exactly this: items that are not named are in stock. What changes is
 * written into the history; what is as the document says keeps its `until`, of which documents know
 * nothing. Whoever calls this holds the restaurant.
 */
export async function updateAllStock(
  sql: Sql,
  restaurantGuid: string,
  stock: readonly StoredStock[],
  now: Date,
): Promise<void> {
  const named = new Set(stock.map(({ itemGuid }) => itemGuid));
  const stored = await listAllStock(sql, restaurantGuid);
  const gone = stored.filter(({ itemGuid }) => !named.has(itemGuid));
  const states = [
    ...gone.map(({ itemGuid }) => ({ itemGuid, status: 'IN_STOCK', quantity: null }) as const),
    ...stock,
  ].map((level) => ({ ...level, until: null, changeGuid: newGuid() }));
  if (states.length === 0) return;
  await updateStock(sql, restaurantGuid, states, {
    cause: 'IMPORT',
    by: 'system:import',
    requestId: null,
    at: now,
    undoes: null,
    keepsUntil: true,
  });
}

/** Lists the stock of a restaurant by item. The quantity has no zeros at its end. */
export async function listAllStock(sql: Sql, restaurantGuid: string): Promise<StoredStock[]> {
  return sql<StoredStock[]>`
    select item_guid as "itemGuid", status, trim_scale(quantity)::text as quantity
    from stock where restaurant_guid = ${restaurantGuid} order by item_guid`;
}
