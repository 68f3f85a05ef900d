import { collections, type PublishedChange } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { ObjectPlace } from './document/contents.ts';
import type { PublicationRow } from './publication-store.ts';
import { given } from './write-store.ts';

const hiddenCollections = collections
  .filter((each) => 'isOfficeOnly' in each)
  .map(({ name }) => name);

type Publication = Pick<PublicationRow, 'restaurantGuid' | 'number'>;

/** What a publication changed itself, `insertPublicationChanges` writes. */
export async function insertChangedReferences(
  sql: Sql,
  { restaurantGuid, number }: Publication,
  places: readonly ObjectPlace[],
): Promise<void> {
  if (places.length === 0) return;
  await sql`
    insert into published_change (restaurant_guid, number, collection, guid, kind)
    select ${restaurantGuid}::uuid, ${number}::integer, given.collection, given.guid, 'CHANGED'
    from ${given(sql, places)}`;
}

/** Everything that partners see is new with the first publication. */
export async function insertAllPublished(
  sql: Sql,
  { restaurantGuid, number }: Publication,
): Promise<void> {
  await sql`
    insert into published_change (restaurant_guid, number, collection, guid, kind)
    select restaurant_guid, ${number}::integer, collection, guid,
      case collection when 'tipWithholding' then 'CHANGED' else 'CREATED' end
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and not archived
      and collection <> all(${hiddenCollections}::text[])`;
}

export interface PublishedChangeRow extends Omit<PublishedChange, 'publishedAt'> {
  readonly publishedAt: Date;
}

export type PublishedChangePlace = Pick<
  PublishedChangeRow,
  'publishNumber' | 'collection' | 'guid'
>;

export async function listPublishedChanges(
  sql: Sql,
  restaurantGuid: string,
  after: PublishedChangePlace | null,
  limit: number,
): Promise<PublishedChangeRow[]> {
  const further = after
    ? sql`and (change.number, change.collection, change.guid)
        > (${after.publishNumber}::integer, ${after.collection}::text, ${after.guid}::uuid)`
    : sql``;
  return await sql<PublishedChangeRow[]>`
    select change.number as "publishNumber", publication.published_at as "publishedAt",
      change.collection, change.guid, change.kind
    from published_change as change
    join publication on publication.restaurant_guid = change.restaurant_guid
      and publication.number = change.number
    where change.restaurant_guid = ${restaurantGuid} ${further}
    order by change.number, change.collection, change.guid
    limit ${limit}`;
}
