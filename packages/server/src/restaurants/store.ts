import type { Sql } from '../database/database.ts';

export interface RestaurantRow {
  readonly guid: string;
  readonly managementGroupGuid: string;
  readonly name: string;
  readonly locationName: string | null;
  readonly locationCode: string | null;
  readonly description: string | null;
  readonly timeZone: string;
  readonly closeoutHour: number;
  readonly currencyCode: string;
  readonly firstBusinessDate: number | null;
  readonly archived: boolean;
  readonly urls: unknown;
  readonly location: unknown;
  readonly schedules: unknown;
  readonly delivery: unknown;
  readonly onlineOrdering: unknown;
  readonly prepTimes: unknown;
}

export const restaurantColumns = (sql: Sql) => sql`
  guid, management_group_guid as "managementGroupGuid", name,
  location_name as "locationName", location_code as "locationCode", description,
  time_zone as "timeZone", closeout_hour as "closeoutHour", currency_code as "currencyCode",
  first_business_date as "firstBusinessDate", archived, urls, location, schedules, delivery,
  online_ordering as "onlineOrdering", prep_times as "prepTimes"`;

export async function findRestaurant(sql: Sql, guid: string): Promise<RestaurantRow | null> {
  const rows = await sql<RestaurantRow[]>`
    select ${restaurantColumns(sql)} from restaurant where guid = ${guid}`;
  return rows[0] ?? null;
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
