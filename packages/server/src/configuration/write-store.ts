import type { Sql } from '../database/database.ts';
import type { ObjectContents, ObjectKind, ObjectPlace } from './document/contents.ts';
import { withAllFields } from './document/stored-object.ts';

/**
 * `objects` is a JSON list of ObjectContents: one long text is much cheaper to send than lists of
 * texts. Dates an object `now` if it has no time: leave out objects that are stored unchanged, so
 * that they keep theirs. Gives how many it wrote.
 */
export async function upsertObjects(
  sql: Sql,
  restaurantGuid: string,
  objects: string,
  now: Date,
): Promise<number> {
  const { count } = await sql.touching([`configuration:${restaurantGuid}`])`
    insert into configuration_object (restaurant_guid, collection, guid,
      multi_location_id, external_id, fields, archived, modified_at)
    select ${restaurantGuid}::uuid, given.collection, given.guid, given."multiLocationId",
      given."externalId", given.fields, given.archived, coalesce(given."modifiedAt", ${now})
    from json_to_recordset(${objects}::text::json) as given (collection text, guid uuid,
      "multiLocationId" text, "externalId" text, fields json, archived boolean,
      "modifiedAt" timestamptz)
    on conflict (restaurant_guid, collection, guid) do update
    set multi_location_id = excluded.multi_location_id,
      external_id = excluded.external_id,
      fields = excluded.fields,
      archived = excluded.archived,
      modified_at = excluded.modified_at`;
  return count;
}

/**
 * Frees multiLocationIds first, so that `upsertObjects` can move them in any order, even in a
 * circle.
 */
export async function updateMultiLocationIdsFreed(
  sql: Sql,
  restaurantGuid: string,
  objects: string,
): Promise<void> {
  await sql.touching([`configuration:${restaurantGuid}`])`
    update configuration_object as stored
    set multi_location_id = 'replaced ' || stored.guid::text
    from json_to_recordset(${objects}::text::json)
      as given (collection text, guid uuid, "multiLocationId" text)
    where stored.restaurant_guid = ${restaurantGuid} and stored.collection = given.collection
      and stored.multi_location_id = given."multiLocationId"
      and stored.guid <> given.guid`;
}

export const given = (sql: Sql, places: readonly ObjectPlace[]) => sql`
  unnest(${places.map(({ collection }) => collection)}::text[],
    ${places.map(({ guid }) => guid)}::uuid[]) as given (collection, guid)`;

export async function updateUnnamedArchived(
  sql: Sql,
  restaurantGuid: string,
  named: readonly ObjectPlace[],
  now: Date,
): Promise<number> {
  const { count } = await sql.touching([`configuration:${restaurantGuid}`])`
    update configuration_object as stored
    set archived = true, modified_at = ${now}
    where restaurant_guid = ${restaurantGuid} and not archived
      and not exists (
        select from ${given(sql, named)}
        where given.collection = stored.collection and given.guid = stored.guid
      )`;
  return count;
}

export async function updateModifiedAt(
  sql: Sql,
  restaurantGuid: string,
  places: readonly ObjectPlace[],
  now: Date,
): Promise<void> {
  if (places.length === 0) return;
  await sql.touching([`configuration:${restaurantGuid}`])`
    update configuration_object as stored set modified_at = ${now}
    from ${given(sql, places)}
    where stored.restaurant_guid = ${restaurantGuid}
      and stored.collection = given.collection and stored.guid = given.guid`;
}

export async function updateObjectTimes(
  sql: Sql,
  groupGuid: string,
  from: Date,
  to: Date,
): Promise<number> {
  const { count } = await sql`
    update configuration_object as stored set modified_at = ${to}
    from restaurant
    where restaurant.management_group_guid = ${groupGuid}
      and stored.restaurant_guid = restaurant.guid and stored.modified_at = ${from}`;
  return count;
}

export interface RepeatedObject extends ObjectPlace {
  readonly restaurantName: string;
}

export async function findRepeatedGuid(sql: Sql, groupGuid: string): Promise<RepeatedObject[]> {
  return sql<RepeatedObject[]>`
    select object.guid, object.collection, restaurant.name as "restaurantName"
    from configuration_object object join restaurant on restaurant.guid = object.restaurant_guid
    where restaurant.management_group_guid = ${groupGuid} and object.guid = (
      select each.guid
      from configuration_object each join restaurant owner on owner.guid = each.restaurant_guid
      where owner.management_group_guid = ${groupGuid}
      group by each.guid having count(*) > 1 limit 1
    )
    order by object.archived, object.collection`;
}

export interface ObjectSelection {
  readonly collections?: readonly ObjectKind[];
  /** Looked up one by one. */
  readonly places?: readonly ObjectPlace[];
}

/**
 * The selected rows of a table of objects. Most restaurants have few objects, so a plan for a list
 * of GUIDs of any length would read all objects of the restaurant.
 */
export function selected(
  sql: Sql,
  table: ReturnType<Sql>,
  restaurantGuid: string,
  { collections, places }: ObjectSelection,
) {
  const ofRestaurant = sql`
    select * from ${table} where restaurant_guid = ${restaurantGuid}
      ${collections ? sql`and collection = any(${[...collections]}::text[])` : sql``}`;
  if (!places) return sql`(${ofRestaurant}) as selected`;
  return sql`${given(sql, places)} cross join lateral (
      ${ofRestaurant} and collection = given.collection and guid = given.guid limit 1
    ) as selected`;
}

export async function listObjects(
  sql: Sql,
  restaurantGuid: string,
  selection: ObjectSelection = {},
): Promise<ObjectContents[]> {
  const rows = await sql<ObjectContents[]>`
    select selected.collection, selected.guid, multi_location_id as "multiLocationId",
      external_id as "externalId", fields, archived, modified_at as "modifiedAt"
    from ${selected(sql, sql`configuration_object`, restaurantGuid, selection)}
    order by selected.collection, selected.guid`;
  return rows.map(withAllFields);
}

export interface ObjectText extends ObjectPlace {
  /**
   * ObjectContents as JSON, to be passed on without parsing. Without the time. Pass it through
   * `withAllFields` when it is parsed.
   */
  readonly text: string;
}

export async function listObjectTexts(
  sql: Sql,
  restaurantGuid: string,
  after: ObjectPlace | null,
  limit: number,
): Promise<ObjectText[]> {
  const further = after
    ? sql`and (collection, guid) > (${after.collection}::text, ${after.guid}::uuid)`
    : sql``;
  return await sql<ObjectText[]>`
    select collection, guid, json_build_object('collection', collection, 'guid', guid,
      'multiLocationId', multi_location_id, 'externalId', external_id, 'archived', archived,
      'modifiedAt', null, 'fields', fields)::text as text
    from configuration_object where restaurant_guid = ${restaurantGuid} ${further}
    order by collection, guid
    limit ${limit}`;
}

/** Stops counting at `atMost`. */
export async function findObjectCount(
  sql: Sql,
  restaurantGuids: readonly string[],
  atMost: number,
): Promise<number> {
  const guids = [...restaurantGuids];
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from (
      select 1 from configuration_object where restaurant_guid = any(${guids}::uuid[])
      union all
      select 1 from configuration_draft where restaurant_guid = any(${guids}::uuid[])
      limit ${atMost}
    ) as object`;
  return row.count;
}
