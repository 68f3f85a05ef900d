import type { RequestOf } from '@servery/contract';
import { withNames } from '../audit/actor-store.ts';
import type { Sql } from '../database/database.ts';
import { only } from '../database/filter-store.ts';
import type { ObjectContents, ObjectKind, ObjectPlace } from './document/contents.ts';
import { withAllFields } from './document/stored-object.ts';
import { given, type ObjectSelection, selected } from './write-store.ts';

export interface DraftRow extends ObjectContents {
  readonly revision: string;
  /** Of the published object when the draft began; null when there was none. */
  readonly baseDigest: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly modifiedBy: string;
  readonly modifiedByName: string | null;
  /** When the draft was edited last. */
  readonly modifiedAt: Date;
}

export async function listDrafts(
  sql: Sql,
  restaurantGuid: string,
  selection: ObjectSelection = {},
): Promise<DraftRow[]> {
  const rows = await sql<Omit<DraftRow, 'modifiedByName'>[]>`
    select selected.collection, selected.guid, multi_location_id as "multiLocationId",
      external_id as "externalId", archived, fields, revision, base_digest as "baseDigest",
      created_by as "createdBy", created_at as "createdAt", modified_by as "modifiedBy",
      modified_at as "modifiedAt"
    from ${selected(sql, sql`configuration_draft`, restaurantGuid, selection)}
    order by selected.collection, selected.guid`;
  const drafts = rows.map(withAllFields);
  return await withNames(sql, drafts, ({ modifiedBy }) => modifiedBy, 'modifiedByName');
}

export interface DraftEdit extends ObjectContents {
  readonly revision: string;
  /** Ignored when there already is a draft. */
  readonly baseDigest: string | null;
}

export async function updateDrafts(
  sql: Sql,
  restaurantGuid: string,
  edits: readonly DraftEdit[],
  by: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into configuration_draft as stored (restaurant_guid, collection, guid, revision,
      multi_location_id, external_id, fields, archived, base_digest, created_by, created_at,
      modified_by, modified_at)
    select ${restaurantGuid}::uuid, given.collection, given.guid, given.revision,
      given."multiLocationId", given."externalId", given.fields, given.archived,
      given."baseDigest", ${by}::text, ${now}::timestamptz, ${by}::text, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(edits)}::text::json) as given (collection text,
      guid uuid, revision uuid, "multiLocationId" text, "externalId" text, fields json,
      archived boolean, "baseDigest" text)
    on conflict (restaurant_guid, collection, guid) do update
    set revision = excluded.revision, multi_location_id = excluded.multi_location_id,
      external_id = excluded.external_id, fields = excluded.fields,
      archived = excluded.archived, modified_by = excluded.modified_by,
      modified_at = excluded.modified_at`;
}

/** The caller must hold the restaurant's lock. */
export async function deleteDrafts(
  sql: Sql,
  restaurantGuid: string,
  places: readonly ObjectPlace[],
): Promise<number> {
  const { count } = await sql`
    delete from configuration_draft as stored
    using ${given(sql, places)}
    cross join lateral (
      select ctid from configuration_draft
      where restaurant_guid = ${restaurantGuid}
        and collection = given.collection and guid = given.guid
      -- Keeps to the primary key, also while the planner has no statistics to choose by: it would
      -- compare every draft with every place.
      limit 1
    ) as named
    where stored.restaurant_guid = ${restaurantGuid} and stored.ctid = named.ctid`;
  return count;
}

/** Both kinds are read in the order of their key, as far as the page goes, and then merged. */
export async function listObjectGuids(
  sql: Sql,
  restaurantGuid: string,
  collection: ObjectKind,
  filter: RequestOf<'backOffice.configuration.objects.list'>['query'],
  afterGuid: string | null,
  limit: number,
): Promise<string[]> {
  const { name, archived, drafted } = filter;
  const matching = (ofCollection: ReturnType<Sql>, lowerName: ReturnType<Sql>) => sql`
    restaurant_guid = ${restaurantGuid} and ${ofCollection}
    ${only(sql, afterGuid, (guid) => sql`guid > ${guid}::uuid`)}
    ${only(sql, filter.guids?.split(','), (guids) => sql`guid = any(${guids}::uuid[])`)}
    ${only(sql, name, (text) => sql`strpos(${lowerName}, lower(${text}::text)) > 0`)}
    ${only(sql, archived, (isArchived) => sql`archived = ${isArchived}`)}`;
  const ofKind = sql`collection = ${collection}`;
  const nameInFields = sql`lower(fields ->> 'name')`;
  // Where few match, they are found first, and not among all objects by GUID. For items, of which a
  // restaurant has the most, they are found in an index of names.
  const isForFew = name !== undefined || archived === true;
  const matchingStored =
    isForFew && collection === 'menuItems'
      ? matching(sql`item_name is not null`, sql`item_name`)
      : matching(ofKind, nameInFields);
  const stored = sql`(
    select guid from configuration_object
    where ${matchingStored}
    ${isForFew ? sql`offset 0` : sql``}
  ) as stored`;
  const published = sql`
    select guid from ${stored}
    where not exists (
      select from configuration_draft as draft
      where draft.restaurant_guid = ${restaurantGuid}
        and draft.collection = ${collection} and draft.guid = stored.guid)
    order by guid limit ${limit}`;
  const drafts = sql`
    select guid from configuration_draft
    where ${matching(ofKind, nameInFields)} order by guid limit ${limit}`;
  const wanted =
    drafted === undefined
      ? sql`((${published}) union all (${drafts}))`
      : sql`(${drafted ? drafts : published})`;
  const rows = await sql<{ guid: string }[]>`
    select guid from ${wanted} as object order by guid limit ${limit}`;
  return rows.map(({ guid }) => guid);
}

export interface NamedObject extends ObjectPlace {
  readonly name: string | null;
}

export async function listNamedObjects(
  sql: Sql,
  restaurantGuid: string,
  collections: readonly ObjectKind[],
  { guids, names }: { readonly guids: readonly string[]; readonly names: readonly string[] },
): Promise<NamedObject[]> {
  const isMeant = sql`
    restaurant_guid = ${restaurantGuid} and collection = any(${[...collections]}::text[])
      and (guid = any(${[...guids]}::uuid[])
        ${names.length === 0 ? sql`` : sql`or fields ->> 'name' = any(${[...names]}::text[])`})`;
  return await sql<NamedObject[]>`
    select collection, guid, fields ->> 'name' as name
    from configuration_object as stored
    where ${isMeant} and not exists (
      select from configuration_draft as draft
      where draft.restaurant_guid = stored.restaurant_guid
        and draft.collection = stored.collection and draft.guid = stored.guid)
    union all
    select collection, guid, fields ->> 'name' from configuration_draft where ${isMeant}
    order by collection, guid`;
}
