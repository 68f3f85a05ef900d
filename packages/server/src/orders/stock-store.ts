import type { Sql } from '../database/database.ts';

export interface StockRow {
  readonly itemGuid: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: string | null;
}

/** Items without a row are in stock. */
export async function listStockOf(
  sql: Sql,
  restaurantGuid: string,
  itemGuids: readonly string[],
): Promise<StockRow[]> {
  if (itemGuids.length === 0) return [];
  return await sql<StockRow[]>`
    select item_guid as "itemGuid", status, trim_scale(quantity)::text as quantity
    from stock
    where restaurant_guid = ${restaurantGuid} and item_guid = any(${itemGuids}::uuid[])
    order by item_guid`;
}

/**
 * The items that take back what an order took: those that are counted, and those that an order used
 * up if nobody changed them since.
 */
export async function listStockToGiveBack(
  sql: Sql,
  restaurantGuid: string,
  itemGuids: readonly string[],
): Promise<Pick<StockRow, 'itemGuid' | 'quantity'>[]> {
  if (itemGuids.length === 0) return [];
  return await sql<Pick<StockRow, 'itemGuid' | 'quantity'>[]>`
    select stock.item_guid as "itemGuid", trim_scale(stock.quantity)::text as quantity
    from stock
    left join lateral (
      select cause from stock_change
      where restaurant_guid = ${restaurantGuid} and item_guid = stock.item_guid
      order by version desc limit 1
    ) as newest on true
    where stock.restaurant_guid = ${restaurantGuid} and item_guid = any(${itemGuids}::uuid[])
      and (stock.status = 'QUANTITY' or newest.cause = 'ORDER')
    order by stock.item_guid`;
}
