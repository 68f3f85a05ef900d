import type { Sql } from '../database/database.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import type { ObjectPlace } from './object-state.ts';

interface DraftStatus {
  readonly revision: string;
  /** Of the published object when the draft began; null when there was none. */
  readonly baseDigest: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly modifiedBy: string;
  readonly modifiedAt: Date;
}

export interface DraftRow {
  readonly object: ObjectContents;
  readonly status: DraftStatus;
}

interface FlatRow extends DraftStatus {
  readonly kind: ObjectKind;
  readonly guid: string;
  readonly multiLocationId: string | null;
  readonly externalId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly archived: boolean;
}

const columns = (sql: Sql) => sql`
  collection as kind, guid, revision, multi_location_id as "multiLocationId",
  external_id as "externalId", fields, archived, base_digest as "baseDigest",
  created_by as "createdBy", created_at as "createdAt", modified_by as "modifiedBy",
  modified_at as "modifiedAt"`;

function draftOf(row: FlatRow): DraftRow {
  const { revision, baseDigest, createdBy, createdAt, modifiedBy, modifiedAt, ...object } = row;
  return {
    object: { ...object, modifiedMs: null },
    status: { revision, baseDigest, createdBy, createdAt, modifiedBy, modifiedAt },
  };
}

export async function listDrafts(
  sql: Sql,
  restaurantGuid: string,
  collections: readonly ObjectKind[] | null = null,
): Promise<DraftRow[]> {
  const rows = await sql<FlatRow[]>`
    select ${columns(sql)} from configuration_draft
    where restaurant_guid = ${restaurantGuid}
      ${collections === null ? sql`` : sql`and collection = any(${[...collections]}::text[])`}
    order by collection, guid`;
  return rows.map(draftOf);
}

export async function listDraftsOf(
  sql: Sql,
  restaurantGuid: string,
  collection: ObjectKind,
  guids: readonly string[],
): Promise<DraftRow[]> {
  const rows = await sql<FlatRow[]>`
    select ${columns(sql)} from configuration_draft
    where restaurant_guid = ${restaurantGuid} and collection = ${collection}
      and guid = any(${[...guids]}::uuid[])
    order by guid`;
  return rows.map(draftOf);
}

export async function findDraft(
  sql: Sql,
  restaurantGuid: string,
  { collection, guid }: ObjectPlace,
): Promise<DraftRow | null> {
  const [row] = await sql<FlatRow[]>`
    select ${columns(sql)} from configuration_draft
    where restaurant_guid = ${restaurantGuid} and collection = ${collection} and guid = ${guid}`;
  return row ? draftOf(row) : null;
}

export interface DraftEdit {
  readonly object: ObjectContents;
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
  const objects = edits.map(({ object }) => object);
  await sql`
    insert into configuration_draft as stored (restaurant_guid, collection, guid, revision,
      multi_location_id, external_id, fields, archived, base_digest, created_by, created_at,
      modified_by, modified_at)
    select ${restaurantGuid}::uuid, given.collection, given.guid, given.revision,
      given.multi_location_id, given.external_id, given.fields::json, given.archived,
      given.base_digest, ${by}::text, ${now}::timestamptz, ${by}::text, ${now}::timestamptz
    from unnest(${objects.map(({ kind }) => kind)}::text[],
      ${objects.map(({ guid }) => guid)}::uuid[], ${edits.map(({ revision }) => revision)}::uuid[],
      ${objects.map(({ multiLocationId }) => multiLocationId)}::text[],
      ${objects.map(({ externalId }) => externalId)}::text[],
      ${objects.map(({ fields }) => JSON.stringify(fields))}::text[],
      ${objects.map(({ archived }) => String(archived))}::text[]::boolean[],
      ${edits.map(({ baseDigest }) => baseDigest)}::text[])
      as given (collection, guid, revision, multi_location_id, external_id, fields, archived,
        base_digest)
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
    using unnest(${places.map(({ collection }) => collection)}::text[],
      ${places.map(({ guid }) => guid)}::uuid[]) as given (collection, guid)
    cross join lateral (
      select ctid from configuration_draft
      where restaurant_guid = ${restaurantGuid}
        and collection = given.collection and guid = given.guid
      -- Keeps to the primary key, also while the planner has no statistics to choose by: it would
      -- compare every draft with every place.
      limit 1
    ) as named
    where stored.ctid = named.ctid`;
  return count;
}

export interface ObjectFilter {
  readonly name?: string;
  readonly archived?: boolean;
  readonly drafted?: boolean;
}

export async function listObjectGuids(
  sql: Sql,
  place: { readonly restaurantGuid: string; readonly collection: ObjectKind },
  filter: ObjectFilter,
  page: { readonly afterGuid: string | null; readonly limit: number },
): Promise<string[]> {
  const { restaurantGuid, collection } = place;
  const { afterGuid, limit } = page;
  const { name = null, archived = null, drafted = null } = filter;
  const rows = await sql<{ guid: string }[]>`
    select guid
    from (
      select guid, fields, archived, false as drafted
      from configuration_object as stored
      where restaurant_guid = ${restaurantGuid} and collection = ${collection}
        and not exists (
          select from configuration_draft as draft
          where draft.restaurant_guid = ${restaurantGuid}
            and draft.collection = ${collection} and draft.guid = stored.guid)
      union all
      select guid, fields, archived, true
      from configuration_draft
      where restaurant_guid = ${restaurantGuid} and collection = ${collection}
    ) as object
    where (${afterGuid}::uuid is null or guid > ${afterGuid}::uuid)
      and (${name}::text is null or position(lower(${name}::text) in lower(fields ->> 'name')) > 0)
      and (${archived}::boolean is null or archived = ${archived})
      and (${drafted}::boolean is null or drafted = ${drafted})
    order by guid
    limit ${limit}`;
  return rows.map(({ guid }) => guid);
}

export interface ReferenceTexts {
  readonly collections: readonly ObjectKind[];
  readonly guids: readonly string[];
  readonly names: readonly string[];
}

export interface NamedObject {
  readonly collection: ObjectKind;
  readonly guid: string;
  readonly name: string | null;
}

export async function listNamedObjects(
  sql: Sql,
  restaurantGuid: string,
  { collections, guids, names }: ReferenceTexts,
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
