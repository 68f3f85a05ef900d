import type { Sql } from '../database/database.ts';
import { type MadeChange, updateStock } from './change-store.ts';

export interface StoredStock {
  readonly itemGuid: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: string | null;
}

/**
 * Items without an entry become in stock. Unchanged items keep their `until`, which documents do
 * not contain. The caller must lock the restaurant.
 */
export async function updateAllStock(
  sql: Sql,
  restaurantGuid: string,
  stock: readonly StoredStock[],
  now: Date,
): Promise<MadeChange[]> {
  const named = new Set(stock.map(({ itemGuid }) => itemGuid));
  const stored = await listAllStock(sql, restaurantGuid);
  const gone = stored.filter(({ itemGuid }) => !named.has(itemGuid));
  const states = [
    ...gone.map(({ itemGuid }) => ({ itemGuid, status: 'IN_STOCK', quantity: null }) as const),
    ...stock,
  ].map((level) => ({ ...level, until: null }));
  if (states.length === 0) return [];
  const importer = { by: 'system:import', requestId: null, at: now };
  const reason = { cause: 'IMPORT', keepsUntil: true } as const;
  return await updateStock(sql, restaurantGuid, states, importer, reason);
}

/** The quantity has no trailing zeros. */
export async function listAllStock(sql: Sql, restaurantGuid: string): Promise<StoredStock[]> {
  return sql<StoredStock[]>`
    select item_guid as "itemGuid", status, trim_scale(quantity)::text as quantity
    from stock where restaurant_guid = ${restaurantGuid} order by item_guid`;
}
