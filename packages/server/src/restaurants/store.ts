import type { Row, Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../database/database.ts';
import type { Sight } from '../freshness/cache.ts';
import { revisionsSeen, type Seeing } from '../freshness/change-mark-store.ts';
import type { RestaurantSettings } from './document/info-schema.ts';

export type RestaurantRow = Omit<RestaurantSettings, 'general'> & RestaurantSettings['general'];

export const restaurantColumns = (sql: Sql) => sql`
  guid, management_group_guid as "managementGroupGuid", name,
  location_name as "locationName", location_code as "locationCode", description,
  time_zone as "timeZone", closeout_hour as "closeoutHour", currency_code as "currencyCode",
  first_business_date as "firstBusinessDate", archived, urls, location, schedules, delivery,
  online_ordering as "onlineOrdering", prep_times as "prepTimes",
  ('{"approval":"' || order_approval || '"}')::json as orders`;

/** Begins a statement that inserts the restaurant, as `stored`, or handles the conflict. */
export function insertion(sql: Sql, row: RestaurantRow, now: Date): Statement<Row[]> {
  return sql`
    insert into restaurant as stored (guid, management_group_guid, name, location_name,
      location_code, description, time_zone, closeout_hour, currency_code, first_business_date,
      archived, urls, location, schedules, delivery, online_ordering, prep_times,
      order_approval, publish_number, created_at, modified_at)
    values (${row.guid}, ${row.managementGroupGuid}, ${row.name}, ${row.locationName},
      ${row.locationCode}, ${row.description}, ${row.timeZone}, ${row.closeoutHour},
      ${row.currencyCode}, ${row.firstBusinessDate}, ${row.archived}, ${sql.json(row.urls)},
      ${sql.json(row.location)}, ${sql.json(row.schedules)}, ${sql.json(row.delivery)},
      ${sql.json(row.onlineOrdering)}, ${sql.json(row.prepTimes)},
      ${row.orders.approval}, 1, ${now}, ${now})
    on conflict (guid)`;
}

export const replacement = (sql: Sql): Statement<Row[]> => sql`
  do update
  set management_group_guid = excluded.management_group_guid, name = excluded.name,
    location_name = excluded.location_name, location_code = excluded.location_code,
    description = excluded.description, time_zone = excluded.time_zone,
    closeout_hour = excluded.closeout_hour, currency_code = excluded.currency_code,
    first_business_date = excluded.first_business_date, archived = excluded.archived,
    urls = excluded.urls, location = excluded.location, schedules = excluded.schedules,
    delivery = excluded.delivery, online_ordering = excluded.online_ordering,
    prep_times = excluded.prep_times, order_approval = excluded.order_approval,
    version = stored.version + 1, modified_at = excluded.modified_at`;

export async function findRestaurant(
  sql: Sql,
  guid: string,
  sight: Sight | null = null,
): Promise<RestaurantRow | null> {
  const [row] = await sql<Seeing<RestaurantRow>[]>`
    select ${restaurantColumns(sql)}, ${revisionsSeen(sql, sight?.buckets)} as seen
    from restaurant where guid = ${guid}`;
  if (!row) return null;
  const { seen, ...restaurant } = row;
  sight?.saw(seen);
  return restaurant;
}

export async function findManagementGroup(sql: Sql, guid: string): Promise<boolean> {
  const rows = await sql`select guid from management_group where guid = ${guid}`;
  return rows.length === 1;
}

/** RST-4: with a partner, only its connected restaurants. */
export async function listGroupRestaurants(
  sql: Sql,
  managementGroupGuid: string,
  connectedPartnerGuid: string | null,
): Promise<{ readonly guid: string }[]> {
  return sql<{ guid: string }[]>`
    select guid
    from restaurant
    where management_group_guid = ${managementGroupGuid}
      and not archived
      ${connectedPartnerGuid === null ? sql`` : isConnected(sql, connectedPartnerGuid)}
    order by guid`;
}

function isConnected(sql: Sql, partnerGuid: string) {
  return sql`
    and exists (
      select 1 from connection
      where connection.restaurant_guid = restaurant.guid
        and connection.partner_guid = ${partnerGuid}
        and connection.removed_at is null
    )`;
}
