import type { ChangeCounts, Publication } from '@servery/contract';
import { withNames } from '../audit/actor-store.ts';
import type { Sql } from '../database/database.ts';
import { heldRestaurant } from '../reach/hold-store.ts';
import type { Reach } from '../reach/reach.ts';
import { isAtReachedRestaurant } from '../reach/reach-store.ts';
import type { ObjectPlace, ObjectState } from './document/contents.ts';
import { stateWithAllFields } from './document/stored-object.ts';

export interface PublicationRow extends Omit<Publication, 'publishedAt' | 'counts'>, ChangeCounts {
  readonly publishedAt: Date;
}

const columns = (sql: Sql) => sql`
  restaurant_guid as "restaurantGuid", number, cause, published_by as "publishedBy",
  published_at as "publishedAt", note, rolled_back_to as "rolledBackTo",
  group_publication_guid as "groupPublicationGuid", added, changed, removed`;

type StoredPublication = Omit<PublicationRow, 'publishedByName'>;

const withPublisher = (sql: Sql, rows: readonly StoredPublication[]) =>
  withNames(sql, rows, ({ publishedBy }) => publishedBy, 'publishedByName');

type OptionalColumns = 'publishedByName' | 'note' | 'rolledBackTo' | 'groupPublicationGuid';

export type NewPublication = Omit<PublicationRow, OptionalColumns> &
  Partial<Pick<PublicationRow, OptionalColumns>>;

export async function insertPublication(sql: Sql, row: NewPublication): Promise<void> {
  await sql`
    insert into publication (restaurant_guid, number, cause, published_by, published_at, note,
      rolled_back_to, group_publication_guid, added, changed, removed)
    values (${row.restaurantGuid}, ${row.number}, ${row.cause}, ${row.publishedBy},
      ${row.publishedAt}, ${row.note ?? null}, ${row.rolledBackTo ?? null},
      ${row.groupPublicationGuid ?? null},
      ${row.added}, ${row.changed}, ${row.removed})`;
}

/** `changes` is a JSON list as `changesText` makes it: one long text, which is sent once. */
export async function insertPublicationChanges(
  sql: Sql,
  { restaurantGuid, number }: Pick<PublicationRow, 'restaurantGuid' | 'number'>,
  changes: string,
): Promise<void> {
  await sql`
    with given as materialized (
      select * from json_to_recordset(${changes}::text::json)
        as given (collection text, guid uuid, before json, after json, kind text)
    ), recorded as (
      insert into publication_change (restaurant_guid, number, collection, guid, before, after)
      select ${restaurantGuid}::uuid, ${number}::integer, collection, guid, before, after from given
    )
    insert into published_change (restaurant_guid, number, collection, guid, kind)
    select ${restaurantGuid}::uuid, ${number}::integer, collection, guid, kind from given
    where kind is not null`;
}

export interface PublicationPlace {
  readonly number: number;
}

export async function listPublications(
  sql: Sql,
  restaurantGuid: string,
  after: PublicationPlace | null,
  limit: number,
): Promise<PublicationRow[]> {
  const rows = await sql<StoredPublication[]>`
    select ${columns(sql)} from publication
    where restaurant_guid = ${restaurantGuid}
      ${after ? sql`and number < ${after.number}` : sql``}
    order by number desc
    limit ${limit}`;
  return await withPublisher(sql, rows);
}

export async function findPublication(
  sql: Sql,
  restaurantGuid: string,
  number: number,
): Promise<PublicationRow | null> {
  const rows = await sql<StoredPublication[]>`
    select ${columns(sql)} from publication
    where restaurant_guid = ${restaurantGuid} and number = ${number}`;
  const [row] = await withPublisher(sql, rows);
  return row ?? null;
}

export async function findLaterPublicationCount(
  sql: Sql,
  restaurantGuid: string,
  number: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from publication
    where restaurant_guid = ${restaurantGuid} and number > ${number} and cause <> 'BEGUN'`;
  return row?.count ?? 0;
}

export interface ChangeRow extends ObjectPlace {
  readonly before: ObjectState | null;
  readonly after: ObjectState;
}

export async function listPublicationChanges(
  sql: Sql,
  restaurantGuid: string,
  number: number,
  limit: number,
): Promise<{ readonly changes: ChangeRow[]; readonly count: number }> {
  const rows = await sql<(ChangeRow & { count: number })[]>`
    select collection, guid, before, after, count(*) over ()::integer as count
    from publication_change
    where restaurant_guid = ${restaurantGuid} and number = ${number}
    order by collection, guid
    limit ${limit}`;
  return {
    changes: rows.map(({ count: _count, collection, guid, before, after }) => ({
      collection,
      guid,
      before: stateWithAllFields(collection, before),
      after: stateWithAllFields(collection, after),
    })),
    count: rows[0]?.count ?? 0,
  };
}

export type StateAt = Omit<ChangeRow, 'after'>;

/**
 * As JSON, to be passed on without parsing: a StateAt each. Pass its state through
 * `stateWithAllFields` when it is parsed.
 */
export async function listStatesAt(
  sql: Sql,
  restaurantGuid: string,
  number: number,
): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select distinct on (collection, guid)
      json_build_object('collection', collection, 'guid', guid, 'before', before)::text as text
    from publication_change
    where restaurant_guid = ${restaurantGuid} and number > ${number}
    order by collection, guid, number`;
  return rows.map(({ text }) => text);
}

export interface RestaurantHead {
  readonly guid: string;
  readonly managementGroupGuid: string;
  readonly name: string;
  readonly timeZone: string;
  readonly publishNumber: number;
  readonly currencyCode: string;
}

const headColumns = (sql: Sql) => sql`
  guid, management_group_guid as "managementGroupGuid", name, time_zone as "timeZone",
  publish_number as "publishNumber", currency_code as "currencyCode"`;

/**
 * Locks in GUID order until the transaction ends. Publications, edits of drafts, imports and stock
 * updates wait for each other; partners' reads don't.
 */
export async function listRestaurantsLocked(
  sql: Sql,
  guids: readonly string[],
): Promise<RestaurantHead[]> {
  const locked: RestaurantHead[] = [];
  for (const guid of [...guids].sort()) {
    locked.push(...(await sql<RestaurantHead[]>`${heldRestaurant(sql, headColumns(sql), guid)}`));
  }
  return locked;
}

/** Locks as `listRestaurantsLocked` does. */
export async function findRestaurantLocked(sql: Sql, guid: string): Promise<RestaurantHead> {
  const [row] = await sql<[RestaurantHead]>`${heldRestaurant(sql, headColumns(sql), guid)}`;
  return row;
}

export async function findRestaurantHead(sql: Sql, guid: string): Promise<RestaurantHead> {
  const [row] = await sql<[RestaurantHead]>`
    select ${headColumns(sql)} from restaurant where guid = ${guid}`;
  return row;
}

export async function listGuidsElsewhere(
  sql: Sql,
  { guid, managementGroupGuid }: RestaurantHead,
  guids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    select unnest(${[...guids]}::uuid[]) as guid
    intersect
    ${guidsOfOthers(sql, managementGroupGuid, guid)}`;
  return rows.map((row) => row.guid);
}

export async function listGuidsShared(
  sql: Sql,
  restaurantGuid: string,
  groupGuid: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    (select guid from configuration_object where restaurant_guid = ${restaurantGuid}
      union all
      select guid from configuration_draft where restaurant_guid = ${restaurantGuid})
    intersect
    ${guidsOfOthers(sql, groupGuid, restaurantGuid)}
    order by guid
    limit ${limit}`;
  return rows.map(({ guid }) => guid);
}

/** GUIDs that are intersected with it are looked up once, however many there are. */
function guidsOfOthers(sql: Sql, groupGuid: string, restaurantGuid: string) {
  return sql`
    (select object.guid
      from restaurant join configuration_object as object
        on object.restaurant_guid = restaurant.guid
      where restaurant.management_group_guid = ${groupGuid} and restaurant.guid <> ${restaurantGuid}
      union all
      select draft.guid
      from restaurant join configuration_draft as draft
        on draft.restaurant_guid = restaurant.guid
      where restaurant.management_group_guid = ${groupGuid}
        and restaurant.guid <> ${restaurantGuid})`;
}

/**
 * Call it before checking which GUIDs exist: until the transaction ends, nobody else adds GUIDs to
 * the group, where each names one object.
 */
export async function findGroupHeldForGuids(sql: Sql, groupGuid: string): Promise<void> {
  await sql`select from management_group where guid = ${groupGuid} for no key update`;
}

export async function listReachedGuids(
  sql: Sql,
  managementGroupGuid: string,
  reach: Reach,
): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    select guid from restaurant
    where management_group_guid = ${managementGroupGuid}
      and ${isAtReachedRestaurant(sql, sql`guid`, reach)}`;
  return rows.map(({ guid }) => guid);
}

export async function updatePublishNumber(sql: Sql, restaurantGuid: string): Promise<number> {
  const touched = sql.touching([`restaurant:${restaurantGuid}`, `configuration:${restaurantGuid}`]);
  const [row] = await touched<{ number: number }[]>`
    update restaurant set publish_number = publish_number + 1 where guid = ${restaurantGuid}
    returning publish_number as number`;
  if (!row) throw new Error('the restaurant of a publication does not exist');
  return row.number;
}
