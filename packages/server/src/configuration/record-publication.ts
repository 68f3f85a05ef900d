import type { Clock } from '@servery/support/clock.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import {
  insertPublication,
  insertPublicationChanges,
  type PublicationRow,
  type RestaurantHead,
  updatePublishNumber,
} from './publication-store.ts';
import { updateModifiedAt, updateMultiLocationIdsFreed, upsertObjects } from './write-store.ts';
import type { WrittenChanges } from './written-change.ts';

/** What writing a publication leans on; `sql` is the transaction that holds the restaurant. */
export interface RecordDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Changes in one statement: to write it takes some milliseconds. */
const CHANGES_AT_ONCE = 2_500;

/** Why a publication is made, in whose words. */
export type PublicationOrder = Pick<
  PublicationRow,
  'cause' | 'note' | 'rolledBackTo' | 'groupPublicationGuid'
>;

/**
 * Publishes changes of a restaurant's configuration: raises its publish number by one, writes the
 * history and the record of changes, then the objects. They are dated and written last, so that
 * little time passes until a partner that asks for what changed can see them (API-8). Takes a few
 * statements for thousands of objects. The publication is dated here, where the restaurant is held:
 * by the instant of `asked`, a request that waited would be dated before the one that it follows.
 */
export async function recordPublication(
  { sql, clock }: RecordDeps,
  restaurant: RestaurantHead,
  changes: WrittenChanges,
  order: PublicationOrder,
  asked: ChangeOrigin,
): Promise<PublicationRow> {
  const origin = { ...asked, at: new Date(clock.nowMs()) };
  const publication: PublicationRow = {
    restaurantGuid: restaurant.guid,
    number: await updatePublishNumber(sql, restaurant.guid),
    publishedBy: origin.by,
    publishedAt: origin.at,
    ...order,
    ...changes.counts,
  };
  await insertPublication(sql, publication);
  const parts: string[] = [];
  for (let from = 0; from < changes.count; from += CHANGES_AT_ONCE) {
    const part = await changes.read(from, from + CHANGES_AT_ONCE);
    await insertPublicationChanges(sql, publication, part);
    parts.push(part);
  }
  await insertEntry(sql, origin, entryOf(restaurant, publication, changes));
  for (const part of changes.hasMovedItems ? parts : []) {
    await updateMultiLocationIdsFreed(sql, restaurant.guid, part);
  }
  const now = new Date(clock.nowMs());
  for (const part of parts) await upsertObjects(sql, restaurant.guid, part, now);
  await updateModifiedAt(sql, restaurant.guid, changes.references, now);
  return publication;
}

/** The whole objects stand in the history; the record of changes holds their digest. */
function entryOf(
  { guid, managementGroupGuid, publishNumber }: RestaurantHead,
  { publishedAt, ...publication }: PublicationRow,
  { count, digest }: WrittenChanges,
) {
  return {
    subject: { kind: 'publication', id: `${guid}/${publication.number}` },
    managementGroupGuid,
    restaurantGuid: guid,
    before: { number: publishNumber },
    after: {
      ...publication,
      publishedAt: publishedAt.toISOString(),
      objects: count,
      changesDigest: digest,
    },
  } as const;
}
