import type { Sql } from '../db/database.ts';

/** The stock of an item that is not simply in stock; `quantity` is a decimal text. */
export interface StoredStock {
  readonly itemGuid: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: string | null;
}

/** Makes a restaurant's stock exactly this: items that are not named are in stock. */
export async function updateAllStock(
  sql: Sql,
  restaurantGuid: string,
  stock: readonly StoredStock[],
  now: Date,
): Promise<void> {
  const guids = stock.map(({ itemGuid }) => itemGuid);
  await sql`
    delete from stock
    where restaurant_guid = ${restaurantGuid} and not exists (
      select from unnest(${guids}::uuid[]) as given (item_guid)
      where given.item_guid = stock.item_guid
    )`;
  await sql`
    insert into stock as stored (restaurant_guid, item_guid, status, quantity, modified_at)
    select ${restaurantGuid}::uuid, given.item_guid, given.status, given.quantity, ${now}
    from unnest(${guids}::uuid[], ${stock.map(({ status }) => status)}::text[],
      ${stock.map(({ quantity }) => quantity)}::numeric[])
      as given (item_guid, status, quantity)
    on conflict (restaurant_guid, item_guid) do update
    set status = excluded.status, quantity = excluded.quantity, modified_at = excluded.modified_at
    where stored.status <> excluded.status
      or stored.quantity is distinct from excluded.quantity`;
}

/** Lists the stock of a restaurant by item. The quantity has no zeros at its end. */
export async function listAllStock(sql: Sql, restaurantGuid: string): Promise<StoredStock[]> {
  return sql<StoredStock[]>`
    select item_guid as "itemGuid", status, trim_scale(quantity)::text as quantity
    from stock where restaurant_guid = ${restaurantGuid} order by item_guid`;
}
