import type { Sql } from '../database/database.ts';
import type { RestaurantRow } from './store.ts';

export async function findGroupName(sql: Sql, guid: string): Promise<string | null> {
  const rows = await sql<{ name: string }[]>`
    select name from management_group where guid = ${guid}`;
  return rows[0]?.name ?? null;
}

export async function listGroupsCalled(sql: Sql, nameOrGuid: string | null): Promise<GroupName[]> {
  return sql<GroupName[]>`
    with called as (
      select guid, name,
        guid::text = lower(${nameOrGuid}) or lower(name) = lower(trim(${nameOrGuid})) as wholly
      from management_group
      where ${nameOrGuid}::text is null or guid::text = lower(${nameOrGuid})
        or (trim(${nameOrGuid}) <> '' and position(lower(trim(${nameOrGuid})) in lower(name)) > 0)
    )
    select guid, name from called
    where wholly is not false or not exists (select 1 from called where wholly)
    order by name, guid`;
}

export interface GroupName {
  readonly guid: string;
  readonly name: string;
}

/** False when the GUID is taken, even by a parallel insert. */
export async function insertGroup(sql: Sql, group: GroupName, now: Date): Promise<boolean> {
  const { count } = await sql`
    insert into management_group (guid, name, created_at)
    values (${group.guid}, ${group.name}, ${now})
    on conflict (guid) do nothing`;
  return count === 1;
}

/** Also unarchives it. Locks the row even without a change, so that imports run in sequence. */
export async function updateGroupName(sql: Sql, { guid, name }: GroupName, now: Date) {
  await sql`
    update management_group
    set name = ${name}, archived = false,
      version = version + case when archived or name <> ${name} then 1 else 0 end,
      modified_at = case when archived or name <> ${name} then ${now} else modified_at end
    where guid = ${guid}`;
}

/** False when nothing changed or another group owns the restaurant. */
export async function upsertRestaurant(sql: Sql, row: RestaurantRow, now: Date): Promise<boolean> {
  const touched = sql.touching([`restaurant:${row.guid}`, `group:${row.managementGroupGuid}`]);
  const { count } = await touched`
    insert into restaurant as stored (guid, management_group_guid, name, location_name,
      location_code, description, time_zone, closeout_hour, currency_code, first_business_date,
      archived, urls, location, schedules, delivery, online_ordering, prep_times, publish_number,
      created_at, modified_at)
    values (${row.guid}, ${row.managementGroupGuid}, ${row.name}, ${row.locationName},
      ${row.locationCode}, ${row.description}, ${row.timeZone}, ${row.closeoutHour},
      ${row.currencyCode}, ${row.firstBusinessDate}, ${row.archived}, ${sql.json(row.urls)},
      ${sql.json(row.location)}, ${sql.json(row.schedules)}, ${sql.json(row.delivery)},
      ${sql.json(row.onlineOrdering)}, ${sql.json(row.prepTimes)}, 1, ${now}, ${now})
    on conflict (guid) do update
    set name = excluded.name, location_name = excluded.location_name,
      location_code = excluded.location_code, description = excluded.description,
      time_zone = excluded.time_zone, closeout_hour = excluded.closeout_hour,
      currency_code = excluded.currency_code, first_business_date = excluded.first_business_date,
      archived = excluded.archived, urls = excluded.urls, location = excluded.location,
      schedules = excluded.schedules, delivery = excluded.delivery,
      online_ordering = excluded.online_ordering, prep_times = excluded.prep_times,
      version = stored.version + 1, modified_at = excluded.modified_at
    where stored.management_group_guid = excluded.management_group_guid
      and (stored.name, stored.location_name, stored.location_code, stored.description,
        stored.time_zone, stored.closeout_hour, stored.currency_code, stored.first_business_date,
        stored.archived, stored.urls::text, stored.location::text, stored.schedules::text,
        stored.delivery::text, stored.online_ordering::text, stored.prep_times::text)
      is distinct from (excluded.name, excluded.location_name, excluded.location_code,
        excluded.description, excluded.time_zone, excluded.closeout_hour, excluded.currency_code,
        excluded.first_business_date, excluded.archived, excluded.urls::text,
        excluded.location::text, excluded.schedules::text, excluded.delivery::text,
        excluded.online_ordering::text, excluded.prep_times::text)`;
  return count === 1;
}

type ListedColumns = 'name' | 'locationName' | 'managementGroupGuid' | 'archived';

/**
 * Imports and stock updates wait for each other here. Foreign key checks pass, so no payment waits.
 */
export async function findRestaurantLocked(
  sql: Sql,
  guid: string,
): Promise<Pick<RestaurantRow, ListedColumns> | null> {
  const [row] = await sql<Pick<RestaurantRow, ListedColumns>[]>`
    select name, location_name as "locationName", archived,
      management_group_guid as "managementGroupGuid"
    from restaurant where guid = ${guid} for no key update`;
  return row ?? null;
}

export async function updateUnnamedRestaurantsArchived(
  sql: Sql,
  groupGuid: string,
  named: readonly string[],
  now: Date,
): Promise<string[]> {
  const touched = sql.touching((archived) => [
    `group:${groupGuid}`,
    ...archived.map(({ guid }) => `restaurant:${guid}` as const),
  ]);
  const rows = await touched<{ guid: string }[]>`
    update restaurant set archived = true, version = version + 1, modified_at = ${now}
    where management_group_guid = ${groupGuid} and not archived
      and guid <> all (${[...named]}::uuid[])
    returning guid`;
  return rows.map(({ guid }) => guid).sort();
}

export async function listRestaurantGuids(sql: Sql, groupGuid: string): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    select guid from restaurant where management_group_guid = ${groupGuid} order by guid`;
  return rows.map(({ guid }) => guid);
}
