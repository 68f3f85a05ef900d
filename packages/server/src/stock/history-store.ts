import type { RanOutItem, RequestOf, StockChange } from '@servery/contract';
import { withNames } from '../audit/actor-store.ts';
import type { Sql } from '../database/database.ts';
import { changeColumns, type MadeChange } from './change-store.ts';

export type ChangeRow = MadeChange &
  Omit<StockChange, 'before' | 'after' | 'at'> & { readonly at: Date };

type Query = Omit<RequestOf<'backOffice.stock.history'>['query'], 'pageToken'>;

export interface ChangePlace {
  readonly at: string;
  readonly guid: string;
}

export function placeOfChange(row: Pick<ChangeRow, 'at' | 'guid'>): ChangePlace {
  return { at: row.at.toISOString(), guid: row.guid };
}

export async function listChanges(
  sql: Sql,
  restaurantGuid: string,
  { item, by, from, to }: Query,
  after: ChangePlace | null,
  limit: number,
): Promise<ChangeRow[]> {
  const rows = await sql<Omit<ChangeRow, 'byName'>[]>`
    select ${changeColumns(sql)}, item.name as "itemName", change.version, change.cause,
      change.changed_at as at, change.changed_by as by,
      change.request_id as "requestId", change.undoes, undone.guid as "undoneBy"
    from (
      select * from stock_change
      where restaurant_guid = ${restaurantGuid}
        ${item === undefined ? sql`` : sql`and item_guid = ${item}`}
        ${by === undefined ? sql`` : sql`and changed_by = ${by}`}
        ${from === undefined ? sql`` : sql`and changed_at >= ${from}::text::timestamptz`}
        ${to === undefined ? sql`` : sql`and changed_at < ${to}::text::timestamptz`}
        ${after ? sql`and ${isBefore(sql, after)}` : sql``}
      order by changed_at desc, guid desc limit ${limit}
    ) as change
    left join lateral ${nameOfItem(sql, restaurantGuid)} as item on true
    left join lateral ${undoing(sql, restaurantGuid)} as undone on true
    order by change.changed_at desc, change.guid desc`;
  return await withNames(sql, rows, ({ by }) => by, 'byName');
}

export interface RanOutRow extends Omit<RanOutItem, 'changeGuid' | 'at' | 'until' | 'backAt'> {
  readonly guid: string;
  readonly at: Date;
  readonly until: Date | null;
  readonly backAt: Date | null;
}

/** The last item to run out comes first. Ignores changes that were undone. */
export async function listRanOut(
  sql: Sql,
  restaurantGuid: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: ChangePlace | null,
  limit: number,
): Promise<RanOutRow[]> {
  const rows = await sql<Omit<RanOutRow, 'byName'>[]>`
    select change.item_guid as "itemGuid", item.name as "itemName", change.guid,
      change.changed_at as at, change.changed_by as by,
      coalesce(stock.status = 'OUT_OF_STOCK', false) as "isStillOut", stock.until,
      back.changed_at as "backAt"
    from (
      select * from (
        select distinct on (change.item_guid) change.*
        from stock_change change
        where change.restaurant_guid = ${restaurantGuid}
          and change.changed_at >= ${from} and change.changed_at < ${to}
          and change.status_after = 'OUT_OF_STOCK' and change.status_before <> 'OUT_OF_STOCK'
          and not exists ${undoing(sql, restaurantGuid)}
        order by change.item_guid, change.version desc
      ) as newest
      ${after ? sql`where ${isBefore(sql, after)}` : sql``}
      order by changed_at desc, guid desc limit ${limit}
    ) as change
    left join lateral ${nameOfItem(sql, restaurantGuid)} as item on true
    left join lateral (
      select status, until from stock
      where restaurant_guid = ${restaurantGuid} and item_guid = change.item_guid
      limit 1
    ) as stock on true
    left join lateral (
      select changed_at from stock_change
      where restaurant_guid = ${restaurantGuid} and item_guid = change.item_guid
        and version > change.version and status_after <> 'OUT_OF_STOCK'
      order by version limit 1
    ) as back on true
    order by change.changed_at desc, change.guid desc`;
  return await withNames(sql, rows, ({ by }) => by, 'byName');
}

const isBefore = (sql: Sql, { at, guid }: ChangePlace) =>
  sql`(changed_at, guid) < (${at}::text::timestamptz, ${guid}::uuid)`;

function nameOfItem(sql: Sql, restaurantGuid: string) {
  return sql`(
    select fields->>'name' as name from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = 'menuItems'
      and guid = change.item_guid
    limit 1
  )`;
}

function undoing(sql: Sql, restaurantGuid: string) {
  return sql`(
    select guid from stock_change undoing
    where undoing.restaurant_guid = ${restaurantGuid} and undoing.undoes = change.guid
    limit 1
  )`;
}
