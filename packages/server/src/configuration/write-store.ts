import type { Sql } from '../database/database.ts';

/** One object to be stored as published. Its collection may be `tipWithholding` too. */
export interface PublishedObject {
  readonly collection: string;
  readonly guid: string;
  readonly multiLocationId: string | null;
  readonly externalId: string | null;
  /** The object's own fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly archived: boolean;
  /** When it changed, in ISO 8601; null for `now`, where it really changes. */
  readonly modifiedAt: string | null;
}

/**
 * Objects as the statements here take them: to send one long text is a small part of the work that
 * lists of texts are.
 */
export function objectsText(objects: readonly PublishedObject[]): string {
  return JSON.stringify(objects);
}

/**
 * Inserts or updates a batch of a restaurant's objects, given as `objectsText`. An object that is
 * stored just so already is left alone, so that its time of change stays. Gives how many were
 * written.
 */
export async function upsertObjects(
  sql: Sql,
  restaurantGuid: string,
  objects: string,
  now: Date,
): Promise<number> {
  const { count } = await sql.touching([`configuration:${restaurantGuid}`])`
    insert into configuration_object as stored (restaurant_guid, collection, guid,
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
      modified_at = excluded.modified_at
    where stored.archived <> excluded.archived
      or stored.fields::text <> excluded.fields::text
      or stored.multi_location_id is distinct from excluded.multi_location_id
      or stored.external_id is distinct from excluded.external_id
      or (excluded.modified_at <> ${now} and stored.modified_at <> excluded.modified_at)`;
  return count;
}

/**
 * Takes multiLocationIds away from the stored items that have them and are not those among the
 * given objects, so that `upsertObjects` can hand them on in any order, also in a circle.
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
    where stored.restaurant_guid = ${restaurantGuid} and given.collection = 'menuItems'
      and stored.multi_location_id = given."multiLocationId"
      and stored.guid <> given.guid`;
}

/** Archives the live objects of a restaurant that are not named. Gives how many. */
export async function updateUnnamedArchived(
  sql: Sql,
  restaurantGuid: string,
  named: readonly Pick<PublishedObject, 'collection' | 'guid'>[],
  now: Date,
): Promise<number> {
  const { count } = await sql.touching([`configuration:${restaurantGuid}`])`
    update configuration_object as stored
    set archived = true, modified_at = ${now}
    where restaurant_guid = ${restaurantGuid} and not archived
      and not exists (
        select from unnest(${named.map(({ collection }) => collection)}::text[],
          ${named.map(({ guid }) => guid)}::uuid[]) as given (collection, guid)
        where given.collection = stored.collection and given.guid = stored.guid
      )`;
  return count;
}

/** Dates objects of a restaurant that partners see differently through what they refer to. */
export async function updateModifiedAt(
  sql: Sql,
  restaurantGuid: string,
  places: readonly Pick<PublishedObject, 'collection' | 'guid'>[],
  now: Date,
): Promise<void> {
  if (places.length === 0) return;
  await sql.touching([`configuration:${restaurantGuid}`])`
    update configuration_object as stored set modified_at = ${now}
    from unnest(${places.map(({ collection }) => collection)}::text[],
      ${places.map(({ guid }) => guid)}::uuid[]) as given (collection, guid)
    where stored.restaurant_guid = ${restaurantGuid}
      and stored.collection = given.collection and stored.guid = given.guid`;
}

/**
 * Moves the time of change of the objects of a group's restaurants that have `from` to `to`. Gives
 * how many.
 */
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

/** An object that has its GUID together with another one. */
export interface RepeatedObject {
  readonly guid: string;
  readonly collection: string;
  readonly restaurantName: string;
}

/** Finds, in a group, objects of several collections or restaurants with one GUID; else none. */
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

/** An object as it is stored, for an export. */
export interface StoredObject extends Omit<PublishedObject, 'modifiedAt'> {
  readonly modifiedAt: Date;
}

/** Lists all objects of a restaurant, archived ones too, by collection and GUID. */
export async function listObjects(sql: Sql, restaurantGuid: string): Promise<StoredObject[]> {
  return sql<StoredObject[]>`
    select collection, guid, multi_location_id as "multiLocationId", external_id as "externalId",
      fields, archived, modified_at as "modifiedAt"
    from configuration_object where restaurant_guid = ${restaurantGuid}
    order by collection, guid`;
}

/** An object in one text, so that it can be handed on unread. */
export interface ObjectText {
  readonly collection: string;
  readonly guid: string;
  readonly text: string;
}

/**
 * Lists objects of a restaurant, archived ones too, by collection and GUID, at most `limit` from
 * `after` on, each as the text that `readObjectText` reads.
 */
export async function listObjectTexts(
  sql: Sql,
  restaurantGuid: string,
  after: Pick<ObjectText, 'collection' | 'guid'> | null,
  limit: number,
): Promise<ObjectText[]> {
  const further = after
    ? sql`and (collection, guid) > (${after.collection}::text, ${after.guid}::uuid)`
    : sql``;
  return await sql<ObjectText[]>`
    select collection, guid, json_build_array(collection, guid, multi_location_id, external_id,
      archived, floor(extract(epoch from modified_at) * 1000)::bigint, fields)::text as text
    from configuration_object where restaurant_guid = ${restaurantGuid} ${further}
    order by collection, guid
    limit ${limit}`;
}

/** How many objects, published and drafted, restaurants have together; `atMost` is enough. */
export async function findObjectCount(
  sql: Sql,
  restaurantGuids: readonly string[],
  atMost: number,
): Promise<number> {
  const guids = [...restaurantGuids];
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from (
      select from configuration_object where restaurant_guid = any(${guids}::uuid[])
      union all
      select from configuration_draft where restaurant_guid = any(${guids}::uuid[])
      limit ${atMost}
    ) as object`;
  return row.count;
}

/** Which objects of a restaurant: of some collections, of them all or those of some GUIDs. */
export interface ObjectSelection {
  readonly collections: readonly string[];
  /** Null for all. */
  readonly guids: readonly string[] | null;
}

/** Lists some objects of a restaurant, archived ones too, by collection and GUID. */
export async function listSelectedObjects(
  sql: Sql,
  restaurantGuid: string,
  { collections, guids }: ObjectSelection,
): Promise<StoredObject[]> {
  return sql<StoredObject[]>`
    select collection, guid, multi_location_id as "multiLocationId", external_id as "externalId",
      fields, archived, modified_at as "modifiedAt"
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = any(${[...collections]}::text[])
      ${guids === null ? sql`` : sql`and guid = any(${[...guids]}::uuid[])`}
    order by collection, guid`;
}
