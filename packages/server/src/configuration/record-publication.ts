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

/** `sql` is the transaction that holds the restaurant. */
export interface RecordDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

const CHANGES_AT_ONCE = 2_500;

export type PublicationOrder = Pick<
  PublicationRow,
  'cause' | 'note' | 'rolledBackTo' | 'groupPublicationGuid'
>;

/**
 * Dates and writes the objects last, so that a partner that asks for changes soon sees them
 * (API-8). Takes the publication's time here, under the lock: the request's own time could be
 * earlier than that of the publication before it.
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

/** The history has the whole objects; the audit log has their digest. */
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
