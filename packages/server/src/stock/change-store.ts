import type { Row, Statement } from '@servery/postgres/sql.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { Subject } from '../freshness/subjects.ts';
import type { StockLevel } from './level.ts';

export type StockCause = 'SET' | 'UNDO' | 'RESTORED' | 'IMPORT' | 'ORDER' | 'ORDER_VOID';

export interface StockState extends StockLevel {
  readonly until: Date | null;
}

export interface WantedState extends StockState {
  readonly itemGuid: string;
}

export interface ChangeReason {
  readonly cause: StockCause;
  /** Only with the cause `UNDO`. */
  readonly undoes?: string;
  /** Only with the causes `ORDER` and `ORDER_VOID`. */
  readonly orderGuid?: string;
  /** True for callers without `until`: unchanged items keep theirs. False: each item's counts. */
  readonly keepsUntil?: boolean;
}

export type ChangeMaker = Pick<ChangeOrigin, 'by' | 'requestId' | 'at'>;

export interface MadeChange {
  readonly itemGuid: string;
  readonly guid: string;
  readonly statusBefore: StockState['status'];
  readonly quantityBefore: string | null;
  readonly untilBefore: Date | null;
  readonly statusAfter: StockState['status'];
  readonly quantityAfter: string | null;
  readonly untilAfter: Date | null;
}

/**
 * Also writes the history; skips unchanged items. `states` must have each item once. The caller
 * must lock the restaurant (`findRestaurantForUpdate`), because this reads the state before without
 * a lock.
 */
export async function updateStock(
  sql: Sql,
  restaurantGuid: string,
  states: readonly WantedState[],
  origin: ChangeMaker,
  { cause, undoes, orderGuid, keepsUntil = false }: ChangeReason,
): Promise<MadeChange[]> {
  // One primary key lookup per row, as in store.ts; each step runs once.
  return await sql.touching([`stock:${restaurantGuid}`])<MadeChange[]>`
    with wanted as materialized (
      select item_guid, guid, status, quantity::numeric(16, 4) as quantity,
        until::timestamptz as until
      from unnest(
        ${states.map((state) => state.itemGuid)}::uuid[],
        ${states.map(() => newGuid())}::uuid[],
        ${states.map((state) => state.status)}::text[],
        ${states.map((state) => state.quantity)}::numeric[],
        ${states.map((state) => state.until?.toISOString() ?? null)}::text[]
      ) as wanted (item_guid, guid, status, quantity, until)
    ), compared as materialized (
      select wanted.item_guid, wanted.guid,
        coalesce(before.status, 'IN_STOCK') as status_before,
        before.quantity as quantity_before,
        before.until as until_before,
        wanted.status as status_after,
        wanted.quantity as quantity_after,
        case when ${keepsUntil}::boolean and before.status = wanted.status
          then before.until else wanted.until end as until_after
      from wanted
      left join lateral (
        select status, quantity, until from stock
        where restaurant_guid = ${restaurantGuid} and item_guid = wanted.item_guid
        limit 1
      ) as before on true
    ), changed as materialized (
      select * from compared
      where status_before <> status_after
        or quantity_before is distinct from quantity_after
        or until_before is distinct from until_after
    ), ${levelSteps(sql, restaurantGuid, origin.at)}
    ${historyStep(sql, restaurantGuid, origin, cause, undoes, orderGuid)}
    returning ${changeColumns(sql)}`;
}

/** Of the table `stock_change` as `change`: a MadeChange. */
export const changeColumns = (sql: Sql) => sql`
  change.item_guid as "itemGuid", change.guid, change.status_before as "statusBefore",
  trim_scale(change.quantity_before)::text as "quantityBefore",
  change.until_before as "untilBefore", change.status_after as "statusAfter",
  trim_scale(change.quantity_after)::text as "quantityAfter", change.until_after as "untilAfter"`;

/** The steps `in_stock` and `others` for the `with` of a statement with the step `changed`. */
export function levelSteps(sql: Sql, restaurantGuid: string, at: Date): Statement<Row[]> {
  return sql`
    in_stock as (
      delete from stock
      where restaurant_guid = ${restaurantGuid}
        and item_guid = any(array(select item_guid from changed where status_after = 'IN_STOCK'))
    ), others as (
      insert into stock (restaurant_guid, item_guid, status, quantity, until, modified_at)
      select ${restaurantGuid}::uuid, item_guid, status_after, quantity_after, until_after,
        ${at}::timestamptz
      from changed where status_after <> 'IN_STOCK'
      on conflict (restaurant_guid, item_guid) do update
      set status = excluded.status, quantity = excluded.quantity, until = excluded.until,
        modified_at = excluded.modified_at
    )`;
}

/**
 * Writes the history, for a statement with the step `changed`. The history sorts by instant, then
 * GUID, both taken before the request waits. A change that would sort before its predecessor gets
 * that one's instant, or the next millisecond when its GUID is lower.
 */
export function historyStep(
  sql: Sql,
  restaurantGuid: string,
  { by, requestId, at }: ChangeMaker,
  cause: StockCause,
  undoes: string | null = null,
  orderGuid: string | null = null,
): Statement<Row[]> {
  return sql`
    insert into stock_change as change (restaurant_guid, item_guid, version, guid, cause,
      status_before, quantity_before, until_before, status_after, quantity_after, until_after,
      changed_by, request_id, changed_at, undoes, order_guid)
    select ${restaurantGuid}::uuid, changed.item_guid, coalesce(newest.version, 0) + 1,
      changed.guid, ${cause}::text, status_before, quantity_before, until_before, status_after,
      quantity_after, until_after, ${by}::text, ${requestId}::uuid,
      case
        when newest.guid is null
          or (newest.changed_at, newest.guid) < (${at}::timestamptz, changed.guid)
          then ${at}::timestamptz
        when newest.guid < changed.guid then newest.changed_at
        else newest.changed_at + interval '1 millisecond'
      end, ${undoes}::uuid, ${orderGuid}::uuid
    from changed
    left join lateral (
      select version, changed_at, guid from stock_change
      where restaurant_guid = ${restaurantGuid} and item_guid = changed.item_guid
      order by version desc limit 1
    ) as newest on true`;
}

/** For a lost COMMIT. */
export async function findIsRecorded(
  sql: Sql,
  restaurantGuid: string,
  changeGuid: string,
): Promise<boolean> {
  const rows = await sql`
    select guid from stock_change
    where restaurant_guid = ${restaurantGuid} and guid = ${changeGuid}`;
  return rows.length === 1;
}

export interface ChangeToUndo extends MadeChange, StockState {
  readonly version: number;
  readonly cause: StockCause;
  /** May be this change. */
  readonly newestVersion: number;
  readonly newestGuid: string;
  readonly newestAt: Date;
  readonly newestBy: string;
  /** False when the item is archived or gone. */
  readonly isLive: boolean;
}

export async function findChangeToUndo(
  sql: Sql,
  restaurantGuid: string,
  changeGuid: string,
): Promise<ChangeToUndo | null> {
  const [row] = await sql<ChangeToUndo[]>`
    select ${changeColumns(sql)}, change.version, change.cause, newest.version as "newestVersion",
      newest.guid as "newestGuid", newest.changed_at as "newestAt",
      newest.changed_by as "newestBy", newest.status_after as status,
      trim_scale(newest.quantity_after)::text as quantity, newest.until_after as until,
      coalesce(not item.archived, false) as "isLive"
    from stock_change change
    cross join lateral (
      select * from stock_change
      where restaurant_guid = ${restaurantGuid} and item_guid = change.item_guid
      order by version desc limit 1
    ) as newest
    left join configuration_object item on item.restaurant_guid = ${restaurantGuid}
      and item.collection = 'menuItems' and item.guid = change.item_guid
    where change.restaurant_guid = ${restaurantGuid} and change.guid = ${changeGuid}`;
  return row ?? null;
}

/** How many it found; another process may have deleted some of them first. */
export async function deleteOldChanges(sql: Sql, cutoff: Date, limit: number): Promise<number> {
  const old = await sql<{ restaurantGuid: string; itemGuid: string; version: number }[]>`
    select restaurant_guid as "restaurantGuid", item_guid as "itemGuid", version
    from stock_change
    where changed_at <= ${cutoff}
    order by changed_at limit ${limit}`;
  if (old.length === 0) return 0;
  const restaurants = sql`${old.map(({ restaurantGuid }) => restaurantGuid)}::uuid[]`;
  const touched = sql.touching((rows) => rows.map(({ guid }): Subject => `stock:${guid}`));
  await touched`
    delete from stock_change
    using unnest(${restaurants}, ${old.map(({ itemGuid }) => itemGuid)}::uuid[],
      ${old.map(({ version }) => version)}::integer[]) as old (restaurant, item, number)
    where restaurant_guid = old.restaurant and item_guid = old.item and version = old.number
      and restaurant_guid = any(${restaurants})
    returning restaurant_guid as guid`;
  return old.length;
}
