import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';

/** PostgreSQL's number of the type `uuid[]`. */
const UUIDS = 2951;

/**
 * Leaves `quantity` of each item, and writes a row of the history for it. The entry in the record
 * of changes, which the product writes too, is left out: the ceiling is rather too high.
 */
export async function updateStock(
  sql: postgres.Sql,
  restaurantGuid: string,
  itemGuids: readonly string[],
  quantity: number,
): Promise<void> {
  const at = new Date(performance.timeOrigin + performance.now());
  const guids = itemGuids.map(() => randomUUID());
  const result = await sql`
    with wanted as (
      select * from unnest(${sql.array([...itemGuids], UUIDS)}::uuid[],
        ${sql.array(guids, UUIDS)}::uuid[]) as wanted (item_guid, guid)
    ), changed as (
      insert into stock (restaurant_guid, item_guid, status, quantity, modified_at)
      select ${restaurantGuid}::uuid, item_guid, 'QUANTITY', ${quantity}::numeric, ${at}
      from wanted
      on conflict (restaurant_guid, item_guid) do update
      set status = excluded.status, quantity = excluded.quantity, until = null,
        modified_at = excluded.modified_at
    )
    insert into stock_change (restaurant_guid, item_guid, version, guid, cause, status_before,
      quantity_before, until_before, status_after, quantity_after, changed_by, changed_at)
    select ${restaurantGuid}::uuid, wanted.item_guid, coalesce(newest.version, 0) + 1,
      wanted.guid, 'SET', coalesce(before.status, 'IN_STOCK'), before.quantity, before.until,
      'QUANTITY', ${quantity}::numeric, 'system:bench', ${at}
    from wanted
    left join lateral (
      select status, quantity, until from stock
      where restaurant_guid = ${restaurantGuid}::uuid and item_guid = wanted.item_guid
      limit 1
    ) as before on true
    left join lateral (
      select version from stock_change
      where restaurant_guid = ${restaurantGuid}::uuid and item_guid = wanted.item_guid
      order by version desc limit 1
    ) as newest on true`;
  if (result.count !== itemGuids.length) throw new Error(`${result.count} rows were written`);
}
