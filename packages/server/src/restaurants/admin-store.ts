import type { Sql } from '../database/database.ts';
import { isAtReachedRestaurant } from '../reach/reach-store.ts';
import {
  isAfter,
  isArchived,
  type NamePlace,
  type OrganizationFilter,
  orderName,
  type Placed,
} from './group-store.ts';
import { type RestaurantRow, restaurantColumns } from './store.ts';

export interface ManagedRestaurantRow extends RestaurantRow {
  readonly version: number;
  readonly publishNumber: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export interface RestaurantFilter extends OrganizationFilter {
  readonly managementGroupGuid?: string;
}

export type RestaurantOverviewRow = Pick<
  ManagedRestaurantRow,
  | 'guid'
  | 'managementGroupGuid'
  | 'name'
  | 'locationName'
  | 'locationCode'
  | 'timeZone'
  | 'currencyCode'
  | 'archived'
  | 'version'
  | 'modifiedAt'
>;

const managedColumns = (sql: Sql) => sql`
  ${restaurantColumns(sql)}, version, publish_number as "publishNumber",
  created_at as "createdAt", modified_at as "modifiedAt"`;

export async function listRestaurants(
  sql: Sql,
  { reach, archived, search, managementGroupGuid }: RestaurantFilter,
  after: NamePlace | null,
  limit: number,
): Promise<(RestaurantOverviewRow & Placed)[]> {
  const isInGroup =
    managementGroupGuid === undefined
      ? sql``
      : sql`and management_group_guid = ${managementGroupGuid}`;
  return await sql<(RestaurantOverviewRow & Placed)[]>`
    select guid, management_group_guid as "managementGroupGuid", name,
      location_name as "locationName", location_code as "locationCode", time_zone as "timeZone",
      currency_code as "currencyCode", archived, version, modified_at as "modifiedAt",
      ${orderName(sql)} as "orderName"
    from restaurant
    where ${isAtReachedRestaurant(sql, sql`guid`, reach)} ${isInGroup}
      ${isArchived(sql, archived)} ${isCalled(sql, search)} ${isAfter(sql, after)}
    order by ${orderName(sql)}, guid
    limit ${limit}`;
}

function isCalled(sql: Sql, search: string | undefined) {
  if (search === undefined) return sql``;
  const names = sql`concat_ws(chr(10), name, location_name, location_code)`;
  return sql`and strpos(lower(${names}), lower(${search})) > 0`;
}

export async function findManagedRestaurant(
  sql: Sql,
  guid: string,
): Promise<ManagedRestaurantRow | null> {
  const [row] = await sql<ManagedRestaurantRow[]>`
    select ${managedColumns(sql)} from restaurant where guid = ${guid}`;
  return row ?? null;
}

/** Locks the row until the transaction ends. */
export async function findManagedRestaurantLocked(
  sql: Sql,
  guid: string,
): Promise<ManagedRestaurantRow | null> {
  const [row] = await sql<ManagedRestaurantRow[]>`
    select ${managedColumns(sql)} from restaurant where guid = ${guid} for no key update`;
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
    insert into restaurant (guid, management_group_guid, name, location_name, location_code,
      description, time_zone, closeout_hour, currency_code, first_business_date, archived, urls,
      location, schedules, delivery, online_ordering, prep_times, publish_number, created_at,
      modified_at)
    values (${row.guid}, ${row.managementGroupGuid}, ${row.name}, ${row.locationName},
      ${row.locationCode}, ${row.description}, ${row.timeZone}, ${row.closeoutHour},
      ${row.currencyCode}, ${row.firstBusinessDate}, ${row.archived}, ${sql.json(row.urls)},
      ${sql.json(row.location)}, ${sql.json(row.schedules)}, ${sql.json(row.delivery)},
      ${sql.json(row.onlineOrdering)}, ${sql.json(row.prepTimes)}, 1, ${now}, ${now})
    on conflict (guid) do nothing
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
    update restaurant
    set management_group_guid = ${row.managementGroupGuid}, name = ${row.name},
      location_name = ${row.locationName}, location_code = ${row.locationCode},
      description = ${row.description}, time_zone = ${row.timeZone},
      closeout_hour = ${row.closeoutHour}, currency_code = ${row.currencyCode},
      first_business_date = ${row.firstBusinessDate}, archived = ${row.archived},
      urls = ${sql.json(row.urls)}, location = ${sql.json(row.location)},
      schedules = ${sql.json(row.schedules)}, delivery = ${sql.json(row.delivery)},
      online_ordering = ${sql.json(row.onlineOrdering)}, prep_times = ${sql.json(row.prepTimes)},
      version = version + 1, modified_at = ${now}
    where guid = ${row.guid}
    returning ${managedColumns(sql)}`;
  return updated;
}
