import type { Sql } from '../../src/database/database.ts';

/** The name of the database that a connection is to. */
export async function findDatabaseName(sql: Sql): Promise<string> {
  const [row] = await sql<[{ name: string }]>`select current_database() as name`;
  return row.name;
}

/** Writes other fields of an object, and another time. */
export async function updateObjectFields(
  sql: Sql,
  guid: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql`
    update configuration_object
    set fields = ${sql.json(fields)}, modified_at = modified_at + interval '1 day'
    where guid = ${guid}`;
}

export async function updateObjectArchived(sql: Sql, guid: string): Promise<void> {
  await sql`update configuration_object set archived = true where guid = ${guid}`;
}

export async function updateRestaurantName(sql: Sql, guid: string, name: string): Promise<void> {
  await sql`update restaurant set name = ${name} where guid = ${guid}`;
}

interface StockRow {
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity?: number;
  /** Only with the status `OUT_OF_STOCK`. */
  readonly until?: Date;
}

export async function upsertStock(
  sql: Sql,
  restaurantGuid: string,
  itemGuid: string,
  { status, quantity, until }: StockRow,
): Promise<void> {
  const now = new Date(0);
  await sql`
    insert into stock (restaurant_guid, item_guid, status, quantity, until, modified_at)
    values (${restaurantGuid}, ${itemGuid}, ${status},
      ${quantity ?? null}::float8::numeric, ${until ?? null}, ${now})
    on conflict (restaurant_guid, item_guid) do update
    set status = excluded.status, quantity = excluded.quantity, until = excluded.until`;
}

/** Takes every item out of stock that is in stock. */
export async function insertStockOfAll(sql: Sql, restaurantGuid: string): Promise<void> {
  await sql`
    insert into stock (restaurant_guid, item_guid, status, modified_at)
    select restaurant_guid, guid, 'OUT_OF_STOCK', modified_at from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = 'menuItems'
    on conflict (restaurant_guid, item_guid) do nothing`;
}

export async function deleteStock(sql: Sql, itemGuid: string): Promise<void> {
  await sql`delete from stock where item_guid = ${itemGuid}`;
}

export async function updateConnectionEnded(
  sql: Sql,
  partnerGuid: string,
  reason: string,
): Promise<void> {
  await sql`
    update connection set removed_at = created_at, removed_reason = ${reason}
    where partner_guid = ${partnerGuid}`;
}

/** Inserts as many items as said, `Item 1` with the first GUID. */
export async function insertItems(
  sql: Sql,
  restaurantGuid: string,
  guidPrefix: string,
  count: number,
): Promise<void> {
  await sql`
    insert into configuration_object (restaurant_guid, collection, guid, multi_location_id, fields,
      archived, modified_at)
    select ${restaurantGuid}::uuid, 'menuItems', guid::uuid, guid,
      json_build_object('name', 'Item ' || number), false, ${new Date(0)}
    from (
      select number, ${guidPrefix}::text || '-0000-4000-8000-' || lpad(number::text, 12, '0') as guid
      from generate_series(1, ${count}::integer) as number
    ) as item`;
}
