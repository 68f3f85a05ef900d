import type { Sql } from '../../src/database/database.ts';

export async function findPartnerOf(sql: Sql, clientId: string): Promise<string | null> {
  const [row] = await sql<{ guid: string | null }[]>`
    select partner_guid as guid from api_client where client_id = ${clientId}`;
  return row?.guid ?? null;
}

/** A quantity of null is out of stock. */
export async function updateStockLevel(
  sql: Sql,
  restaurantGuid: string,
  itemGuid: string,
  quantity: number | null,
): Promise<void> {
  const status = quantity === null ? 'OUT_OF_STOCK' : 'QUANTITY';
  await sql`
    insert into stock (restaurant_guid, item_guid, status, quantity, modified_at)
    values (${restaurantGuid}, ${itemGuid}, ${status}, ${quantity}, ${new Date(0)})
    on conflict (restaurant_guid, item_guid) do update
    set status = excluded.status, quantity = excluded.quantity`;
}
