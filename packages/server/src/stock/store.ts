import type { Sql } from '../database/database.ts';
import type { Sight } from '../freshness/cache.ts';
import { revisionsSeen, type Seeing, serverStartedAt } from '../freshness/change-mark-store.ts';
import { bucketOf } from '../freshness/subjects.ts';
import type { BusinessDay } from '../payments/due/close-out.ts';
import { heldRestaurant } from '../reach/hold-store.ts';

export interface ItemRow {
  readonly guid: string;
  readonly multiLocationId: string;
  readonly archived: boolean;
  /** Null when the item is in stock. */
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK' | null;
  readonly quantity: string | null;
}

// Lists can be as long as a menu, and a planner without statistics compares every pair of rows. A
// lateral subquery with a limit forces a primary key lookup per row.

export async function listStock(
  sql: Sql,
  restaurantGuid: string,
  status: 'QUANTITY' | 'OUT_OF_STOCK' | undefined,
  sight: Sight | null = null,
): Promise<ItemRow[]> {
  // The last row, even if there are no items.
  const counters = sight
    ? sql`union all select null, null, null, null, null, ${revisionsSeen(sql, sight.buckets)}`
    : sql``;
  const rows = await sql<Seeing<ItemRow>[]>`
    select ${itemColumns(sql)}, null as seen
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
    ${counters}
    order by guid`;
  if (sight) sight.saw(rows.pop()?.seen ?? null);
  return rows;
}

export function listItems(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
  multiLocationIds: readonly string[],
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    with item as (${namedItems(sql, restaurantGuid, guids, multiLocationIds)})
    select ${itemColumns(sql)}
    from item left join lateral ${stockOfItem(sql, restaurantGuid)} on true`;
}

/** The quantity has no trailing zeros. */
const itemColumns = (sql: Sql) => sql`
  item.guid, item.multi_location_id as "multiLocationId", item.archived, stock.status,
  trim_scale(stock.quantity)::text as quantity`;

export const stockOfItem = (sql: Sql, restaurantGuid: string) => sql`(
  select status, quantity, until from stock
  where restaurant_guid = ${restaurantGuid} and item_guid = item.guid
  limit 1
) as stock`;

export interface ItemToChange extends ItemRow {
  readonly until: Date | null;
  /** The counters of stock and items, and the start of the server that has them. */
  readonly asOf: string;
}

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
      select concat_ws(' ', ${revisionOf(sql, ofStock)}, ${revisionOf(sql, ofItems)},
        ${serverStartedAt(sql)}) as as_of
    )
    select ${itemColumns(sql)}, stock.until, (select as_of from mark) as "asOf"
    from item left join lateral ${stockOfItem(sql, restaurantGuid)} on true`;
}

/** A counter that was never raised has no row. */
export const revisionOf = (sql: Sql, bucket: number) =>
  sql`coalesce((select revision from change_mark where bucket = ${bucket}::integer), 0)`;

export function countersOf(restaurantGuid: string): readonly [ofStock: number, ofItems: number] {
  return [bucketOf(`stock:${restaurantGuid}`), bucketOf(`configuration:${restaurantGuid}`)];
}

/**
 * Subqueries hide the lengths of the lists: otherwise the planner would prefer a custom plan for
 * one item and plan each query again, which takes longer than the read.
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
        and collection = 'menuItems'
      limit 1
    ) as item`;
}

/**
 * Serializes stock updates of a restaurant, so that overlapping ones cannot deadlock: an item in
 * stock has no row to lock. Payments, which only refer to the restaurant, do not wait.
 */
export async function findRestaurantForUpdate(
  sql: Sql,
  restaurantGuid: string,
): Promise<BusinessDay> {
  const columns = sql`time_zone as "timeZone", closeout_hour as "closeoutHour"`;
  const [row] = await sql<[BusinessDay]>`${heldRestaurant(sql, columns, restaurantGuid)}`;
  return row;
}
