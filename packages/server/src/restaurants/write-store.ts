import type { Row, Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../database/database.ts';
import { insertion, type RestaurantRow, replacement } from './store.ts';

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
    ${insertion(sql, row, now)} ${replacement(sql)}
    where stored.management_group_guid = excluded.management_group_guid
      and ${compared(sql, sql`stored`)} is distinct from ${compared(sql, sql`excluded`)}`;
  return count === 1;
}

const compared = (sql: Sql, of: Statement<Row[]>) => sql`
  (${of}.name, ${of}.location_name, ${of}.location_code, ${of}.description, ${of}.time_zone,
    ${of}.closeout_hour, ${of}.currency_code, ${of}.first_business_date, ${of}.archived,
    ${of}.urls::text, ${of}.location::text, ${of}.schedules::text, ${of}.delivery::text,
    ${of}.online_ordering::text, ${of}.prep_times::text,
    ${of}.order_approval)`;

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
