import type { RestaurantOverview } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import { heldRestaurant } from '../reach/hold-store.ts';
import { isAtReachedRestaurant } from '../reach/reach-store.ts';
import {
  isAfter,
  isArchived,
  type NamePlace,
  type OrganizationFilter,
  orderName,
  type Placed,
} from './group-store.ts';
import { insertion, type RestaurantRow, replacement, restaurantColumns } from './store.ts';

export interface ManagedRestaurantRow extends RestaurantRow {
  readonly version: number;
  readonly publishNumber: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export interface RestaurantFilter extends OrganizationFilter {
  readonly managementGroupGuid?: string;
}

export type RestaurantOverviewRow = Omit<RestaurantOverview, 'modifiedAt'> &
  Placed & { readonly modifiedAt: Date };

const managedColumns = (sql: Sql) => sql`
  ${restaurantColumns(sql)}, version, publish_number as "publishNumber",
  created_at as "createdAt", modified_at as "modifiedAt"`;

/** Of those that do not match, only the index of names is read. */
export async function listRestaurants(
  sql: Sql,
  { reach, archived, search, managementGroupGuid }: RestaurantFilter,
  after: NamePlace | null,
  limit: number,
): Promise<RestaurantOverviewRow[]> {
  const isInGroup =
    managementGroupGuid === undefined
      ? sql``
      : sql`and management_group_guid = ${managementGroupGuid}`;
  return await sql<RestaurantOverviewRow[]>`
    select guid, management_group_guid as "managementGroupGuid", name,
      location_name as "locationName", location_code as "locationCode", time_zone as "timeZone",
      currency_code as "currencyCode", archived, version, modified_at as "modifiedAt", "orderName"
    from (
      select guid, ${orderName(sql)} as "orderName" from restaurant
      where ${isAtReachedRestaurant(sql, sql`guid`, reach)} ${isInGroup}
        ${isArchived(sql, archived)} ${isCalled(sql, search)} ${isAfter(sql, after)}
      order by ${orderName(sql)}, guid
      limit ${limit}
    ) as found join restaurant using (guid)
    order by "orderName", guid`;
}

function isCalled(sql: Sql, search: string | undefined) {
  return search === undefined ? sql`` : sql`and strpos(search_text, lower(${search})) > 0`;
}

export async function findManagedRestaurant(sql: Sql, guid: string): Promise<ManagedRestaurantRow> {
  const [row] = await sql<[ManagedRestaurantRow]>`
    select ${managedColumns(sql)} from restaurant where guid = ${guid}`;
  return row;
}

/**
 * Until the transaction ends. Changes, imports and stock updates wait for each other here. Foreign
 * key checks pass, so no payment waits.
 */
export async function findManagedRestaurantLocked(
  sql: Sql,
  guid: string,
): Promise<ManagedRestaurantRow | null> {
  const [row] = await sql<ManagedRestaurantRow[]>`
    ${heldRestaurant(sql, managedColumns(sql), guid)}`;
  return row ?? null;
}

/** Null when the GUID is taken, even by a parallel insert. */
export async function insertRestaurant(
  sql: Sql,
  row: RestaurantRow,
  now: Date,
): Promise<ManagedRestaurantRow | null> {
  const touched = sql.touching([`restaurant:${row.guid}`, `group:${row.managementGroupGuid}`]);
  const [inserted] = await touched<ManagedRestaurantRow[]>`
    ${insertion(sql, row, now)} do nothing
    returning ${managedColumns(sql)}`;
  return inserted ?? null;
}

export async function updateRestaurant(
  sql: Sql,
  row: RestaurantRow,
  groupGuidBefore: string,
  now: Date,
): Promise<ManagedRestaurantRow> {
  const groups = [groupGuidBefore, row.managementGroupGuid].map((guid) => `group:${guid}` as const);
  const touched = sql.touching([`restaurant:${row.guid}`, ...groups]);
  const [updated] = await touched<[ManagedRestaurantRow]>`
    ${insertion(sql, row, now)} ${replacement(sql)}
    returning ${managedColumns(sql)}`;
  return updated;
}
