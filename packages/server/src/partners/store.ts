import type { Sql } from '../database/database.ts';
import type { Sight } from '../freshness/cache.ts';
import { revisionsSeen, type Seeing } from '../freshness/change-mark-store.ts';
import type { Along } from '../http/read-along.ts';
import type { Instant } from '../http/timestamps.ts';

export interface AccessRow {
  readonly guid: string;
  readonly managementGroupGuid: string;
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly archived: boolean;
  readonly publishNumber: number;
  readonly connected: boolean;
}

/** PTN-5: an archived restaurant counts as deleted. */
export interface ConnectionRow {
  readonly restaurantGuid: string;
  readonly managementGroupGuid: string;
  readonly deleted: boolean;
  readonly restaurantName: string;
  readonly locationName: string | null;
  readonly createdByEmailAddress: string | null;
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

/** PTN-3: by creation, then restaurant GUID. */
export interface ConnectionPlace {
  readonly createdAtMs: number;
  readonly restaurantGuid: string;
}

export interface ConnectionFilter {
  readonly partnerGuid: string;
  readonly modifiedAfter: Instant | null;
}

export interface ConnectionRange {
  readonly after: ConnectionPlace | null;
  readonly limit: number | null;
}

export async function findAccess(
  sql: Sql,
  restaurantGuid: string,
  partnerGuid: string | null,
  sight: Sight | null,
  along: Along | null,
): Promise<{ readonly access: AccessRow; readonly along: string | null } | null> {
  // Nothing is read for a partner that is not connected.
  const column = along
    ? sql`case when connection.restaurant_guid is not null then ${along.column(sql)} end`
    : sql`null`;
  const [row] = await sql<Seeing<AccessRow & { readonly along: string | null }>[]>`
    select restaurant.guid, restaurant.management_group_guid as "managementGroupGuid",
      restaurant.time_zone as "timeZone", restaurant.currency_code as "currencyCode",
      restaurant.archived, restaurant.publish_number as "publishNumber",
      connection.restaurant_guid is not null as connected, ${column} as along,
      ${revisionsSeen(sql, sight?.buckets)} as seen
    from restaurant
    left join connection
      on connection.restaurant_guid = restaurant.guid
      and connection.partner_guid = ${partnerGuid}
      and connection.removed_at is null
    where restaurant.guid = ${restaurantGuid}`;
  if (!row) return null;
  const { seen, along: text, ...access } = row;
  sight?.saw(seen);
  return { access, along: text };
}

/**
 * PTN-2, PTN-3: page and total are read in the same statement, so that they match. The total of all is
 * kept; only what changed is counted.
 */
export async function listConnections(
  sql: Sql,
  { partnerGuid, modifiedAfter }: ConnectionFilter,
  { after, limit }: ConnectionRange,
): Promise<{ readonly connections: readonly ConnectionRow[]; readonly totalCount: number }> {
  const isChanged =
    modifiedAfter === null ? sql`` : sql`and modified_at > ${modifiedAfter}::text::timestamptz`;
  const isMatching = sql`partner_guid = ${partnerGuid} and removed_at is null ${isChanged}`;
  const total =
    modifiedAfter === null
      ? sql`select coalesce(sum(connections), 0)::integer as count from partner_counter
          where partner_guid = ${partnerGuid}`
      : sql`select count(*)::integer as count from connection where ${isMatching}`;
  const rows = await sql<(ConnectionRow & { readonly totalCount: number })[]>`
    with page as (
      select * from connection
      where ${isMatching} ${after === null ? sql`` : isAfter(sql, after)}
      order by created_at, restaurant_guid
      limit ${limit}
    )
    select total.count as "totalCount", page.restaurant_guid as "restaurantGuid",
      restaurant.management_group_guid as "managementGroupGuid",
      restaurant.archived as deleted, restaurant.name as "restaurantName",
      restaurant.location_name as "locationName",
      page.created_by_email as "createdByEmailAddress",
      page.external_group_ref as "externalGroupRef",
      page.external_restaurant_ref as "externalRestaurantRef",
      page.created_at as "createdAt", page.modified_at as "modifiedAt"
    from (${total}) as total
    left join (page join restaurant on restaurant.guid = page.restaurant_guid) on true
    order by page.created_at, page.restaurant_guid`;
  // Every row has the total; an empty page has one row with only the total.
  const connections = rows
    .filter(({ restaurantGuid }) => restaurantGuid !== null)
    .map(({ totalCount: _, ...row }) => row);
  return { connections, totalCount: rows[0]?.totalCount ?? 0 };
}

function isAfter(sql: Sql, place: ConnectionPlace) {
  const createdAt = new Date(place.createdAtMs);
  return sql`and (created_at, restaurant_guid) > (${createdAt}, ${place.restaurantGuid}::uuid)`;
}
