import type { Statement } from '@servery/postgres/sql.ts';
import { type Change, type ChangeOrigin, entrySteps } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { changedAt, levelSteps, type MadeChange } from './change-store.ts';
import { countersOf } from './store.ts';

/** Changes of a restaurant's stock as they follow from what was read of it. */
export interface ReadChanges {
  readonly restaurantGuid: string;
  /** The counters that were read with the stock. */
  readonly asOf: string;
  readonly changes: readonly MadeChange[];
  /** What the record of changes says of all of them. */
  readonly entry: Change;
}

/** The counter as it was raised. */
export interface RaisedMark {
  readonly bucket: number;
  readonly revision: string;
}

/**
 * Makes changes whose states before were read, with their history, their entry
 * in the record of changes and the counter of who remembers the stock, in one statement, which is a
 * transaction when nothing else is in it. It answers one row; none, with nothing written, when the
 * counters are not those that were read: somebody may have changed the stock or the items since.
 *
 * The restaurant is held first, as `findRestaurantForUpdate` does, so whoever is at the stock has
 * come to his end before the counter is looked at. Of the counter, unlike of what is only read,
 * PostgreSQL takes the newest version, also one that is newer than the statement. A server that
 * took over may come to the same counters by other changes, so it has to be the one that was asked
 * before.
 */
export function updateStockAsRead(
  sql: Sql,
  origin: ChangeOrigin,
  { restaurantGuid, asOf, changes, entry }: ReadChanges,
): Statement<RaisedMark[]> {
  const [ofStock, ofItems] = countersOf(restaurantGuid);
  const [revision, itemsRevision, serverStartedAt] = asOf.split(' ') as [string, string, string];
  const { by, requestId, at } = origin;
  return sql<RaisedMark[]>`
    with held as materialized (
      select guid from restaurant where guid = ${restaurantGuid} for no key update
    ), raised as (
      update change_mark set revision = revision + 1
      from held
      where bucket = ${ofStock}::smallint
        and revision = ${revision}::text::bigint
        and exists (
          select from change_mark
          where bucket = ${ofItems}::smallint and revision = ${itemsRevision}::text::bigint
        )
        and not exists (select from server_process where not raises_marks)
        and extract(epoch from pg_postmaster_start_time())::text = ${serverStartedAt}
      returning bucket, change_mark.revision::text as revision
    ), changed as materialized (${changedRows(sql, changes)}),
    ${levelSteps(sql, restaurantGuid, at)}, history as (
      insert into stock_change (restaurant_guid, item_guid, version, guid, cause, status_before,
        quantity_before, until_before, status_after, quantity_after, until_after, changed_by,
        request_id, changed_at)
      select ${restaurantGuid}::uuid, changed.item_guid, coalesce(newest.version, 0) + 1,
        changed.guid, 'SET', status_before, quantity_before, until_before, status_after,
        quantity_after, until_after, ${by}::text, ${requestId}::uuid, ${changedAt(sql, at)}
      from changed
      left join lateral (
        select version, changed_at, guid from stock_change
        where restaurant_guid = ${restaurantGuid} and item_guid = changed.item_guid
        order by version desc limit 1
      ) as newest on true
    ), ${entrySteps(sql, origin, entry, sql`raised`)}
    select bucket, revision from raised`;
}

/**
 * The rows to be changed, when the counter was raised. Columns are sent as one text each: what the
 * driver makes of a long list costs more than all that is done with it here.
 */
function changedRows(sql: Sql, changes: readonly MadeChange[]) {
  const column = (textOf: (change: MadeChange) => string | null) =>
    sql`string_to_array(${changes.map((change) => textOf(change) ?? '').join(' ')}, ' ', '')`;
  return sql`
    select item_guid, guid, status_before, quantity_before, until_before, status_after,
      quantity_after, until_after
    from unnest(
      ${column((change) => change.itemGuid)}::uuid[],
      ${column((change) => change.guid)}::uuid[],
      ${column((change) => change.statusBefore)},
      ${column((change) => change.quantityBefore)}::numeric[],
      ${column((change) => change.untilBefore?.toISOString() ?? null)}::timestamptz[],
      ${column((change) => change.statusAfter)},
      ${column((change) => change.quantityAfter)}::numeric[],
      ${column((change) => change.untilAfter?.toISOString() ?? null)}::timestamptz[]
    ) as wanted (item_guid, guid, status_before, quantity_before, until_before, status_after,
      quantity_after, until_after)
    where exists (select from raised)`;
}
