import type { Sql } from '../db/database.ts';
import type { StockLevel } from './rules.ts';

/** A menu item (or modifier item reference) with its stock, as the database has it. */
export interface ItemRow {
  readonly guid: string;
  readonly multiLocationId: string;
  readonly archived: boolean;
  /** Null when the item is simply in stock. */
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK' | null;
  /** Decimal text; null unless the status is `QUANTITY`. */
  readonly quantity: string | null;
}

/** What an update makes of one item. */
export interface ItemLevel extends StockLevel {
  readonly itemGuid: string;
}

/**
 * The non-archived items of a restaurant that are not in stock, ordered by guid; only those of one
 * status when `status` is given (decisions S1, S9).
 */
export function listStock(
  sql: Sql,
  restaurantGuid: string,
  status: 'QUANTITY' | 'OUT_OF_STOCK' | null,
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    select item.guid, item.multi_location_id as "multiLocationId", item.archived,
      stock.status, stock.quantity
    from stock
    join configuration_object as item
      on item.restaurant_guid = stock.restaurant_guid
      and item.collection = 'menuItems'
      and item.guid = stock.item_guid
    where stock.restaurant_guid = ${restaurantGuid}
      and not item.archived
      and (${status}::text is null or stock.status = ${status})
    order by item.guid`;
}

/** The items of a restaurant with one of the identifiers, archived ones too, in no order. */
export function listItems(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
  multiLocationIds: readonly string[],
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    select item.guid, item.multi_location_id as "multiLocationId", item.archived,
      stock.status, stock.quantity
    from configuration_object as item
    left join stock
      on stock.restaurant_guid = item.restaurant_guid
      and stock.item_guid = item.guid
    where item.restaurant_guid = ${restaurantGuid}
      and item.collection = 'menuItems'
      and (
        item.guid = any(${guids}::uuid[])
        or item.multi_location_id = any(${multiLocationIds}::text[])
      )`;
}

/**
 * Waits for other stock updates of the restaurant and holds back later ones until the transaction
 * ends. Updates of overlapping items then happen one after the other and cannot deadlock; an item
 * in stock has no row of its own that could be locked.
 */
export async function findRestaurantForUpdate(sql: Sql, restaurantGuid: string): Promise<void> {
  await sql`select guid from restaurant where guid = ${restaurantGuid} for no key update`;
}

/** Gives each item its level in one statement. An item may stand in `levels` only once. */
export async function updateStock(
  sql: Sql,
  restaurantGuid: string,
  levels: readonly ItemLevel[],
  nowMs: number,
): Promise<void> {
  const itemGuids = levels.map((level) => level.itemGuid);
  const statuses = levels.map((level) => level.status);
  const quantities = levels.map((level) => level.quantity);
  await sql`
    with wanted as (
      select *
      from unnest(${itemGuids}::uuid[], ${statuses}::text[], ${quantities}::numeric[])
        as wanted (item_guid, status, quantity)
    ), in_stock as (
      delete from stock
      using wanted
      where stock.restaurant_guid = ${restaurantGuid}
        and stock.item_guid = wanted.item_guid
        and wanted.status = 'IN_STOCK'
    )
    insert into stock (restaurant_guid, item_guid, status, quantity, modified_at)
    select ${restaurantGuid}, item_guid, status, quantity, ${new Date(nowMs)}
    from wanted
    where status <> 'IN_STOCK'
    on conflict (restaurant_guid, item_guid) do update
    set status = excluded.status, quantity = excluded.quantity, modified_at = excluded.modified_at`;
}
