import type { Clock } from '@servery/support/clock.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { recordMenus } from '../menus/record-menus.ts';
import type { Examination } from './examination/examiner.ts';
import {
  findPublication,
  insertPublication,
  insertPublicationChanges,
  type PublicationRow,
  type RestaurantHead,
  updatePublishNumber,
} from './publication-store.ts';
import { insertChangedReferences } from './published-change-store.ts';
import { updateModifiedAt, updateMultiLocationIdsFreed, upsertObjects } from './write-store.ts';

/** `sql` is the transaction that holds the restaurant; the examination has found the changes. */
export interface RecordDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly examination: Examination;
  readonly restaurant: RestaurantHead;
  readonly origin: ChangeOrigin;
}

const CHANGES_AT_ONCE = 2_500;

export type PublicationOrder = Pick<PublicationRow, 'cause' | 'note'> &
  Partial<Pick<PublicationRow, 'rolledBackTo' | 'groupPublicationGuid'>>;

/**
 * Dates and writes the objects last, so that a partner that asks for changes soon sees them
 * (API-8). Takes the publication's time here, under the lock: the request's own time could be
 * earlier than that of the publication before it. The history has the whole objects; the audit log
 * has their digest.
 */
export async function recordPublication(
  { sql, clock, examination, restaurant, origin: asked }: RecordDeps,
  { cause, note, rolledBackTo = null, groupPublicationGuid = null }: PublicationOrder,
): Promise<PublicationRow> {
  const { guid: restaurantGuid, managementGroupGuid, publishNumber } = restaurant;
  const origin = { ...asked, at: new Date(clock.nowMs()) };
  const { count, counts, digest, ...changes } = await examination.ask('summarize');
  const menus = await examination.ask('menus', restaurant);
  const publication = {
    restaurantGuid,
    number: await updatePublishNumber(sql, restaurantGuid),
    publishedBy: origin.by,
    publishedAt: origin.at,
    ...{ cause, note, rolledBackTo, groupPublicationGuid },
    ...counts,
  };
  await insertPublication(sql, publication);
  const parts: string[] = [];
  for (let from = 0; from < count; from += CHANGES_AT_ONCE) {
    const part = await examination.ask('write', from, from + CHANGES_AT_ONCE);
    await insertPublicationChanges(sql, publication, part);
    parts.push(part);
  }
  await insertChangedReferences(sql, publication, changes.references);
  await insertEntry(sql, origin, {
    subject: { kind: 'publication', id: `${restaurantGuid}/${publication.number}` },
    managementGroupGuid,
    restaurantGuid,
    before: { number: publishNumber },
    after: {
      ...publication,
      publishedAt: publication.publishedAt.toISOString(),
      objects: count,
      changesDigest: digest,
    },
  });
  for (const part of changes.hasMovedIds ? parts : []) {
    await updateMultiLocationIdsFreed(sql, restaurantGuid, part);
  }
  const now = new Date(clock.nowMs());
  for (const part of parts) await upsertObjects(sql, restaurantGuid, part, now);
  await updateModifiedAt(sql, restaurantGuid, changes.references, now);
  if (menus) await recordMenus({ sql, clock }, restaurantGuid, menus);
  return (await findPublication(sql, restaurantGuid, publication.number)) as PublicationRow;
}
