import type { Statement } from '@servery/postgres/sql.ts';
import { type Change, type ChangeOrigin, entrySteps } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { type Revision, serverStartedAt } from '../freshness/change-mark-store.ts';
import { wantedEvents } from '../webhooks/delivery/queue-restaurant-events.ts';
import { isUnwanted } from '../webhooks/delivery/restaurant-event-store.ts';
import { type ChangeReason, historyStep, levelSteps, type MadeChange } from './change-store.ts';
import { stockEventTypes } from './stock-events.ts';
import { countersOf, revisionOf } from './store.ts';

export interface ReadChanges {
  readonly restaurantGuid: string;
  readonly asOf: string;
  readonly changes: readonly MadeChange[];
  readonly entry: Change;
}

/**
 * A single statement, so a transaction by itself. Writes nothing and returns no row when a partner
 * wants events, or when the counters changed: stock or items may have changed too. Locks the
 * restaurant first, as `findRestaurantForUpdate` does, so that earlier stock changes finish before
 * it compares. PostgreSQL locks the newest version of the counter, even one newer than the
 * statement. After a failover, other changes may lead to the same counters, so the server must be
 * the one that was read. In a cluster, rows may be older than their counter.
 */
export function updateStockAsRead(
  sql: Sql,
  origin: ChangeOrigin,
  { restaurantGuid, asOf, changes, entry }: ReadChanges,
): Statement<Revision[]> {
  const [ofStock, ofItems] = countersOf(restaurantGuid);
  const [revision, itemsRevision, startedAt] = asOf.split(' ') as [string, string, string];
  return sql<Revision[]>`
    with held as materialized (
      select guid from restaurant where guid = ${restaurantGuid} for no key update
    ), raised as (
      insert into change_mark (bucket, revision, changed_in)
      select ${ofStock}::integer, 1, pg_current_xact_id()
      from held
      where ${revisionOf(sql, ofItems)} = ${itemsRevision}::text::bigint
        and ${serverStartedAt(sql)} = ${startedAt}
        and to_regclass('pg_dist_transaction') is null
        and ${isUnwanted(sql, wantedEvents({ restaurantGuid, types: stockEventTypes }))}
      on conflict (bucket) do update
        set revision = change_mark.revision + 1, changed_in = excluded.changed_in
        where change_mark.revision = ${revision}::text::bigint
      returning bucket, change_mark.revision::float8 as revision
    ), changed as materialized (
      ${changedRows(sql, changes)} where exists (select from raised)
    ),
    ${levelSteps(sql, restaurantGuid, origin.at)}, history as (
      ${historyStep(sql, restaurantGuid, origin, 'SET')}
    ), ${entrySteps(sql, origin, entry, sql`raised`)}
    select bucket, revision from raised`;
}

/** For a transaction that read the stock after it locked the restaurant. */
export async function updateReadStock(
  sql: Sql,
  origin: ChangeOrigin,
  restaurantGuid: string,
  changes: readonly MadeChange[],
  { cause, orderGuid, entry }: ChangeReason & { readonly entry: Change },
): Promise<void> {
  await sql.touching([`stock:${restaurantGuid}`])`
    with changed as materialized (${changedRows(sql, changes)}),
    ${levelSteps(sql, restaurantGuid, origin.at)},
    ${entrySteps(sql, origin, entry)}
    ${historyStep(sql, restaurantGuid, origin, cause, null, orderGuid)}`;
}

/** One text per column: long driver arrays cost too much. */
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
      quantity_after, until_after)`;
}
