import type { RequestOf } from '@servery/contract';
import type { Row, Statement } from '@servery/postgres/sql.ts';
import { partsOf } from '@servery/support/runner.ts';
import { withNames } from '../audit/actor-store.ts';
import type { Sql } from '../database/database.ts';
import type { StockCause, StockState } from './change-store.ts';
import type { ItemIdentity } from './identify.ts';
import { stockOfItem } from './store.ts';

export interface StockItemRow extends Omit<ItemIdentity, 'archived'>, StockState {
  readonly sortName: string;
  readonly changeGuid: string | null;
  readonly cause: StockCause | null;
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
  readonly changedByName: string | null;
}

type Query = Omit<RequestOf<'backOffice.stock.list'>['query'], 'pageToken'>;

export interface StockItemPlace {
  readonly sortName: string;
  readonly guid: string;
}

/** Only items have an `item_name`. Of those that do not match, only the index of names is read. */
export async function listStockItems(
  sql: Sql,
  restaurantGuid: string,
  { status, name }: Query,
  after: StockItemPlace | null,
  limit: number,
): Promise<StockItemRow[]> {
  const named = name === undefined ? sql`` : sql`and strpos(item_name, lower(${name})) > 0`;
  const further = after
    ? sql`and (left(item_name, 100), guid) > (${after.sortName}::text, ${after.guid}::uuid)`
    : sql``;
  return await withNewestChange(
    sql,
    restaurantGuid,
    sql`select guid from configuration_object
      where restaurant_guid = ${restaurantGuid} and item_name is not null and not archived
        ${status ? isOfStatus(sql, restaurantGuid, status) : sql``} ${named} ${further}
      order by left(item_name, 100), guid limit ${limit}`,
  );
}

/** An item without a row is in stock. */
function isOfStatus(sql: Sql, restaurantGuid: string, statuses: NonNullable<Query['status']>) {
  const isOneOf = sql`status = any(string_to_array(${statuses.join(' ')}, ' '))`;
  const having = (condition: Statement<Row[]>) =>
    sql`(select item_guid from stock where restaurant_guid = ${restaurantGuid} and ${condition})`;
  return statuses.includes('IN_STOCK')
    ? sql`and guid not in ${having(sql`not (${isOneOf})`)}`
    : sql`and guid in ${having(isOneOf)}`;
}

export async function findStockItems(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
): Promise<ReadonlyMap<string, StockItemRow>> {
  const items = new Map<string, StockItemRow>();
  for (const part of partsOf(guids)) {
    const rows = await withNewestChange(
      sql,
      restaurantGuid,
      sql`select unnest(string_to_array(${part.join(' ')}, ' ')::uuid[]) as guid`,
    );
    for (const row of rows) items.set(row.guid, row);
  }
  return items;
}

/** By name, which is cut, because a page token contains it. */
async function withNewestChange(
  sql: Sql,
  restaurantGuid: string,
  guids: ReturnType<Sql>,
): Promise<StockItemRow[]> {
  const rows = await sql<Omit<StockItemRow, 'changedByName'>[]>`
    select item.guid, item.multi_location_id as "multiLocationId", own.name, own.sku, own.plu,
      item."sortName", coalesce(stock.status, 'IN_STOCK') as status,
      trim_scale(stock.quantity)::text as quantity, stock.until, change.guid as "changeGuid",
      change.cause, change.changed_at as "changedAt", change.changed_by as "changedBy"
    from (${guids}) as chosen
    cross join lateral (
      select guid, multi_location_id, fields, left(item_name, 100) as "sortName"
      from configuration_object
      where restaurant_guid = ${restaurantGuid} and collection = 'menuItems' and guid = chosen.guid
      limit 1
    ) as item
    cross join lateral json_to_record(item.fields) as own(name text, sku text, plu text)
    left join lateral ${stockOfItem(sql, restaurantGuid)} on true
    left join lateral (
      select guid, cause, changed_at, changed_by from stock_change
      where restaurant_guid = ${restaurantGuid} and item_guid = item.guid
      order by version desc limit 1
    ) as change on true
    order by item."sortName", item.guid`;
  return await withNames(sql, rows, ({ changedBy }) => changedBy, 'changedByName');
}

export async function listItemIdentitiesByKey(
  sql: Sql,
  restaurantGuid: string,
  keys: { readonly guids: readonly string[]; readonly multiLocationIds: readonly string[] },
): Promise<ItemIdentity[]> {
  return await itemIdentities(
    sql,
    restaurantGuid,
    sql`and (guid = any(${keys.guids}::uuid[])
      or multi_location_id = any(${keys.multiLocationIds}::text[]))`,
  );
}

export async function listItemIdentities(
  sql: Sql,
  restaurantGuid: string,
  after: string | null,
  limit: number,
): Promise<ItemIdentity[]> {
  const further = after === null ? sql`` : sql`and guid > ${after}`;
  return await itemIdentities(sql, restaurantGuid, sql`${further} order by guid limit ${limit}`);
}

function itemIdentities(sql: Sql, restaurantGuid: string, condition: Statement<Row[]>) {
  return sql<ItemIdentity[]>`
    select guid, multi_location_id as "multiLocationId", fields->>'name' as name,
      fields->>'sku' as sku, fields->>'plu' as plu, archived
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = 'menuItems' ${condition}`;
}

/** By item; leaves out archived items. */
export async function listLiveMultiLocationIds(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ guid: string; multiLocationId: string }[]>`
    select item.guid, item.multi_location_id as "multiLocationId"
    from unnest((select ${guids}::uuid[])) as asked (guid)
    cross join lateral (
      select guid, multi_location_id, archived from configuration_object
      where restaurant_guid = ${restaurantGuid} and collection = 'menuItems'
        and guid = asked.guid
      limit 1
    ) as item
    where not item.archived`;
  return new Map(rows.map(({ guid, multiLocationId }) => [guid, multiLocationId]));
}
