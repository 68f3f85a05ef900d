import type { Sql } from '../../../packages/server/src/database/database.ts';
import { copied } from './copied-store.ts';

/** The group and the restaurant that all others are copies of. */
export interface Pattern {
  readonly groupGuid: string;
  readonly restaurantGuid: string;
  /** The first is connected with all restaurants, the others share them out. */
  readonly partnerGuids: readonly string[];
}

/** Copies are numbered from 1; this many consecutive ones make a group. */
const RESTAURANTS_PER_GROUP = 10;

const copyNumber = (sql: Sql) => sql`nth`;

/** Of what has a GUID by time, of which the last digits alone may tell two apart. */
const derived = (sql: Sql) => sql`overlay(md5(guid::text || nth) placing '7' from 13)::uuid`;

/** The number of the group of a copy. */
const groupNumber = (sql: Sql) => sql`((nth - 1) / ${RESTAURANTS_PER_GROUP}::integer + 1)`;

/** Which of the partners shares the copy, as an index into their list that begins with 1. */
const sharer = (sql: Sql, { partnerGuids }: Pattern) =>
  sql`(2 + nth % ${partnerGuids.length - 1}::integer)`;

/** How many copies there are already. */
export async function findCopyCount(sql: Sql, { restaurantGuid }: Pattern): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from restaurant
    where guid between ${copied(sql, sql`${restaurantGuid}`, sql`1`)}
        and overlay(${restaurantGuid}::text placing 'ffffffffffff' from 25)::uuid
      and guid <> ${restaurantGuid}`;
  return row.count;
}

/** Copies the restaurant, in groups of their own, for the numbers from `first` to `last`. */
export async function insertRestaurantCopies(
  sql: Sql,
  pattern: Pattern,
  first: number,
  last: number,
): Promise<void> {
  const { groupGuid, restaurantGuid } = pattern;
  const copies = sql`generate_series(${first}::integer, ${last}::integer) as nth`;
  const ofRestaurant = copied(sql, sql`guid`, copyNumber(sql));
  const ofGroup = copied(sql, sql`${groupGuid}`, groupNumber(sql));
  const groups = sql`(select distinct ${groupNumber(sql)} as number from ${copies}) as numbered`;
  const ofGroupNumber = copied(sql, sql`${groupGuid}`, sql`number`);
  await sql`
    insert into management_group
      (guid, name, created_at, archived, version, modified_at)
    select ${ofGroupNumber}, name || ' ' || number, created_at, archived, version, modified_at
    from ${groups} cross join management_group where guid = ${groupGuid}
    on conflict do nothing`;
  await sql`
    insert into management_group_partner (management_group_guid, partner_guid)
    select ${ofGroupNumber}, partner_guid
    from ${groups} cross join management_group_partner
    where management_group_guid = ${groupGuid}
    on conflict do nothing`;
  await sql`
    insert into restaurant (guid, management_group_guid, name, location_name, location_code,
      description, time_zone, closeout_hour, currency_code, first_business_date, archived, urls,
      location, schedules, delivery, online_ordering, prep_times, publish_number, created_at,
      modified_at, version)
    select ${ofRestaurant}, ${ofGroup}, name, 'House ' || nth, 'H' || nth, description,
      time_zone, closeout_hour, currency_code, first_business_date, archived, urls, location,
      schedules, delivery, online_ordering, prep_times, publish_number, created_at, modified_at,
      version
    from ${copies} cross join restaurant where guid = ${restaurantGuid}
    order by nth`;
  await insertConfigurationCopies(sql, pattern, copies);
  await insertConnectionCopies(sql, pattern, copies);
}

async function insertConfigurationCopies(
  sql: Sql,
  { restaurantGuid }: Pattern,
  copies: ReturnType<Sql>,
): Promise<void> {
  const ofRestaurant = copied(sql, sql`restaurant_guid`, copyNumber(sql));
  const ofItem = copied(sql, sql`item_guid`, copyNumber(sql));
  await sql`
    insert into publication
    select copy.* from ${copies} cross join publication as pattern
    cross join lateral jsonb_populate_record(pattern, jsonb_build_object(
      'restaurant_guid', ${ofRestaurant})) as copy
    where pattern.restaurant_guid = ${restaurantGuid}`;
  await sql`
    insert into published_change (restaurant_guid, number, collection, guid, kind)
    select ${ofRestaurant}, number, collection, ${copied(sql, sql`guid`, copyNumber(sql))}, kind
    from ${copies} cross join published_change where restaurant_guid = ${restaurantGuid}`;
  // What refers to other objects names them by their GUIDs, which are copied in the same way.
  await sql`
    insert into configuration_object (restaurant_guid, collection, guid, multi_location_id,
      external_id, fields, archived, modified_at)
    select ${ofRestaurant}, collection, ${copied(sql, sql`guid`, copyNumber(sql))},
      multi_location_id, external_id,
      replace(text, '@copy@', lpad(to_hex(nth), 12, '0'))::json, archived, modified_at
    from ${copies} cross join (
      select *, regexp_replace(fields::text,
        '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}', '\\1@copy@', 'g') as text
      from configuration_object where restaurant_guid = ${restaurantGuid}
      order by collection, guid offset 0
    ) as pattern`;
  await sql`
    insert into stock (restaurant_guid, item_guid, status, quantity, modified_at)
    select ${ofRestaurant}, ${ofItem}, status, quantity, modified_at
    from ${copies} cross join stock where restaurant_guid = ${restaurantGuid}`;
  await sql`
    insert into stock_change
    select copy.* from ${copies} cross join stock_change as pattern
    cross join lateral jsonb_populate_record(pattern, jsonb_build_object(
      'restaurant_guid', ${ofRestaurant}, 'item_guid', ${ofItem}, 'guid', ${derived(sql)})) as copy
    where pattern.restaurant_guid = ${restaurantGuid}`;
}

/** Each copy is connected with the first partner, and with one of the others. */
async function insertConnectionCopies(
  sql: Sql,
  pattern: Pattern,
  copies: ReturnType<Sql>,
): Promise<void> {
  const { restaurantGuid, partnerGuids } = pattern;
  const ofRestaurant = copied(sql, sql`restaurant_guid`, copyNumber(sql));
  const [everywhere = '', shared = ''] = partnerGuids;
  const partner = sql`case partner_guid when ${everywhere} then partner_guid
    else (string_to_array(${partnerGuids.join(' ')}, ' ')::uuid[])[${sharer(sql, pattern)}] end`;
  const ofPattern = sql`pattern.restaurant_guid = ${restaurantGuid}
    and pattern.partner_guid in (${everywhere}, ${shared})`;
  await sql`
    insert into connection
    select copy.* from ${copies} cross join connection as pattern
    cross join lateral jsonb_populate_record(pattern, jsonb_build_object(
      'restaurant_guid', ${ofRestaurant}, 'partner_guid', ${partner})) as copy
    where ${ofPattern}`;
  await sql`
    insert into connection_change
    select copy.* from ${copies} cross join connection_change as pattern
    cross join lateral jsonb_populate_record(pattern, jsonb_build_object('restaurant_guid',
      ${ofRestaurant}, 'partner_guid', ${partner})) as copy
    where ${ofPattern}`;
}

/**
 * Writes the events of the copied connections behind those that their partners have. Each is told
 * like the pattern's, of another restaurant and under a GUID of its own.
 */
export async function insertEventCopies(
  sql: Sql,
  pattern: Pattern,
  first: number,
  last: number,
): Promise<void> {
  const { restaurantGuid, groupGuid, partnerGuids } = pattern;
  const ofGroup = copied(sql, sql`${groupGuid}`, groupNumber(sql));
  const ofRestaurant = copied(sql, sql`${restaurantGuid}`, copyNumber(sql));
  const ofEvent = derived(sql);
  await sql`
    with told as (
      select nth, coalesce(link.partner_guid, pattern.partner_guid) as partner, pattern.*
      from generate_series(${first}::integer, ${last}::integer) as nth
      cross join partner_event as pattern
      left join lateral (select case when pattern.partner_guid <> ${partnerGuids[0] ?? ''} then
        (string_to_array(${partnerGuids.join(' ')}, ' ')::uuid[])[${sharer(sql, pattern)}]
        end as partner_guid) as link on true
      where restaurant_guid = ${restaurantGuid}
    )
    insert into partner_event (partner_guid, position, guid, type, restaurant_guid, change_number,
      at, body)
    select partner, coalesce(known.position, 0)
        + row_number() over (partition by partner order by nth),
      ${ofEvent}, type, ${ofRestaurant}, change_number, at,
      replace(replace(replace(body, guid::text, ${ofEvent}::text),
        ${restaurantGuid}, ${ofRestaurant}::text), ${groupGuid}, ${ofGroup}::text)
    from told left join partner_counter as known on known.partner_guid = partner`;
  await sql`
    insert into partner_counter (partner_guid, position, connections)
    select partner_guid, max(position), (
      select count(*) from connection
      where connection.partner_guid = partner_event.partner_guid and removed_at is null)
    from partner_event group by partner_guid
    on conflict (partner_guid) do update
    set position = excluded.position, connections = excluded.connections`;
}

/** Tells the planner what there is, and marks what everybody sees, as in a platform that lives. */
export async function updateStatistics(sql: Sql): Promise<void> {
  await sql.unsafe('vacuum (analyze)');
}
