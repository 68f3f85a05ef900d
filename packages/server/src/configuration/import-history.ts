import type { Sql } from '../database/database.ts';
import { changedReferences } from './changed-references.ts';
import type { ObjectChange, ObjectContents } from './document/contents.ts';
import { byPlaceKey, isSameState, placeKey } from './object-state.ts';
import {
  insertPublication,
  insertPublicationChanges,
  updatePublishNumber,
} from './publication-store.ts';
import { insertAllPublished, insertChangedReferences } from './published-change-store.ts';
import { listObjects, updateModifiedAt } from './write-store.ts';
import { changesText, countsOf } from './written-change.ts';

const BATCH_SIZE = 1_000;

const IMPORTED = { cause: 'IMPORTED', publishedBy: 'system:import' } as const;

/** Runs in the import's transaction. */
export async function recordFirstPublication(
  sql: Sql,
  restaurantGuid: string,
  liveObjects: number,
  at: Date,
): Promise<void> {
  const counts = { added: liveObjects, changed: 0, removed: 0 };
  // Nothing comes before the first publication, so nobody can roll back past it.
  const first = { ...IMPORTED, restaurantGuid, number: 1, publishedAt: at };
  await insertPublication(sql, { ...first, ...counts });
  await insertAllPublished(sql, first);
}

export interface ImportTimes {
  readonly at: Date;
  readonly changing: Date;
  readonly undated: readonly ObjectContents[];
}

/**
 * Runs in the import's transaction. `stored` are the objects before the import. Objects that
 * partners see differently through a reference are dated `changing` too, unless the document dates
 * them.
 */
export async function recordImportedChanges(
  sql: Sql,
  restaurantGuid: string,
  stored: readonly ObjectContents[],
  { at, changing, undated }: ImportTimes,
): Promise<void> {
  const known = byPlaceKey(stored);
  const objects = await listObjects(sql, restaurantGuid);
  const changes = objects
    .map((after): ObjectChange => ({ before: known.get(placeKey(after)) ?? null, after }))
    .filter(({ before, after }) => !isSameState(before, after));
  const publication = {
    ...IMPORTED,
    restaurantGuid,
    number: await updatePublishNumber(sql, restaurantGuid),
    publishedAt: at,
    ...countsOf(changes),
  };
  await insertPublication(sql, publication);
  for (let start = 0; start < changes.length; start += BATCH_SIZE) {
    const part = changesText(changes.slice(start, start + BATCH_SIZE));
    await insertPublicationChanges(sql, publication, part);
  }
  const references = changedReferences(objects, changes);
  await insertChangedReferences(sql, publication, references);
  const isUndated = byPlaceKey(undated);
  const dated = references.filter((place) => isUndated.has(placeKey(place)));
  await updateModifiedAt(sql, restaurantGuid, dated, changing);
}
