import type { Sql } from '../database/database.ts';
import { bucketOf } from '../freshness/subjects.ts';
import type { BusinessDay } from '../payments/due/close-out.ts';

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

// Lists of stock are as long as a restaurant's menu, and a planner that has no statistics yet joins
// them by comparing each row with each. A lateral subquery with a limit leaves it only one way: a
// look into the primary key for each row.

/**
 * The non-archived items of a restaurant that are not in stock, ordered by guid; only those of one
 * status when `status` is given (decisions STK-1, STK-9).
 */
export function listStock(
  sql: Sql,
  restaurantGuid: string,
  status?: 'QUANTITY' | 'OUT_OF_STOCK',
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    select item.guid, item.multi_location_id as "multiLocationId", item.archived,
      stock.status, stock.quantity
    from stock
    cross join lateral (
      select guid, multi_location_id, archived
      from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and collection = 'menuItems'
        and guid = stock.item_guid
      limit 1
    ) as item
    where stock.restaurant_guid = ${restaurantGuid}
      and not item.archived
      ${status === undefined ? sql`` : sql`and stock.status = ${status}`}
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
    with item as (${namedItems(sql, restaurantGuid, guids, multiLocationIds)})
    select item.guid, item.multi_location_id as "multiLocationId", item.archived,
      stock.status, stock.quantity
    from item
    left join lateral (
      select status, quantity
      from stock
      where restaurant_guid = ${restaurantGuid} and item_guid = item.guid
      limit 1
    ) as stock on true`;
}

/** An item whose stock is about to be changed, with when it comes back by itself. */
export interface ItemToChange extends ItemRow {
  readonly until: Date | null;
  /** The counters as they were then (`asOfText`); null when nobody counts all changes. */
  readonly asOf: string | null;
}

/**
 * The same items as `listItems`, with what `insertChanges` needs to know of them; the quantity has
 * no zeros at its end. Who changes stock raises the counter with his COMMIT, and a process of a
 * version that raises none may be about.
 */
export function listItemsToChange(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
  multiLocationIds: readonly string[],
): Promise<ItemToChange[]> {
  const [ofStock, ofItems] = countersOf(restaurantGuid);
  return sql<ItemToChange[]>`
    with item as (${namedItems(sql, restaurantGuid, guids, multiLocationIds)}),
    mark as materialized (
      select concat_ws(' ', of_stock.revision, of_items.revision,
        extract(epoch from pg_postmaster_start_time())) as as_of
      from change_mark of_stock, change_mark of_items
      where of_stock.bucket = ${ofStock}::smallint and of_items.bucket = ${ofItems}::smallint
        and not exists (select from server_process where not raises_marks)
    )
    select item.guid, item.multi_location_id as "multiLocationId", item.archived,
      stock.status, trim_scale(stock.quantity)::text as quantity, stock.until,
      (select as_of from mark) as "asOf"
    from item
    left join lateral (
      select status, quantity, until
      from stock
      where restaurant_guid = ${restaurantGuid} and item_guid = item.guid
      limit 1
    ) as stock on true`;
}

/** The counters of the stock of a restaurant, and of its items. */
export function countersOf(restaurantGuid: string): readonly [ofStock: number, ofItems: number] {
  return [bucketOf(`stock:${restaurantGuid}`), bucketOf(`configuration:${restaurantGuid}`)];
}

/**
 * The items with one of the identifiers, each once. The lists stand in subqueries, where the
 * planner does not see how long they are: it would else find a plan for one item cheaper than the
 * general one, and make a new one each time, which takes longer than the reading.
 */
function namedItems(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
  multiLocationIds: readonly string[],
) {
  return sql`
    select item.*
    from unnest((select ${guids}::uuid[])) as asked (guid)
    cross join lateral (
      select guid, multi_location_id, archived
      from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and collection = 'menuItems'
        and guid = asked.guid
      limit 1
    ) as item
    union
    select item.*
    from unnest((select ${multiLocationIds}::text[])) as asked (multi_location_id)
    cross join lateral (
      select guid, multi_location_id, archived
      from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and multi_location_id = asked.multi_location_id
      limit 1
    ) as item`;
}

/**
 * Waits for other stock updates of the restaurant and holds back later ones until the transaction
 * ends. Updates of overlapping items then happen one after the other and cannot deadlock; an item
 * in stock has no row of its own that could be locked. Payments, whose rows only refer to the
 * restaurant, do not wait. Gives what says when the restaurant's business day ends.
 */
export async function findRestaurantForUpdate(
  sql: Sql,
  restaurantGuid: string,
): Promise<BusinessDay> {
  const [row] = await sql<[BusinessDay]>`
    select time_zone as "timeZone", closeout_hour as "closeoutHour"
    from restaurant where guid = ${restaurantGuid} for no key update`;
  return row;
}
