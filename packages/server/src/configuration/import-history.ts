import type { Sql } from '../db/database.ts';
import { changeKind, countChanges } from './describe-changes.ts';
import { byPlaceKey } from './effective.ts';
import { contentsOf, isSameState, type ObjectChange, placeKey, placeOf } from './object-state.ts';
import {
  insertPublication,
  insertPublicationChanges,
  updatePublishNumber,
} from './publication-store.ts';
import { listObjects, type StoredObject } from './write-store.ts';
import { changesText } from './written-change.ts';

/** Changes in one statement. */
const BATCH_SIZE = 1_000;

const IMPORTED = {
  cause: 'IMPORTED',
  publishedBy: 'system:import',
  note: null,
  rolledBackTo: null,
  groupPublicationGuid: null,
} as const;

/**
 * Begins the history of a restaurant that an import made, in its transaction. `liveObjects` is how
 * many objects partners see of it.
 */
export async function recordFirstPublication(
  sql: Sql,
  restaurantGuid: string,
  liveObjects: number,
  at: Date,
): Promise<void> {
  const counts = { added: liveObjects, changed: 0, removed: 0 };
  // Nothing comes before the first publication, so that nobody ever goes back behind it.
  const first = { ...IMPORTED, restaurantGuid, number: 1, publishedAt: at };
  await insertPublication(sql, { ...first, ...counts });
}

/**
 * Publishes what an import changed at a restaurant, and writes it into the history, in the
 * transaction of the import. `stored` are the restaurant's objects before that.
 */
export async function recordImportedChanges(
  sql: Sql,
  restaurantGuid: string,
  stored: readonly StoredObject[],
  at: Date,
): Promise<void> {
  const known = byPlaceKey(stored.map(contentsOf));
  const changes = (await listObjects(sql, restaurantGuid))
    .map(contentsOf)
    .map((after): ObjectChange => ({ before: known.get(placeKey(placeOf(after))) ?? null, after }))
    .filter(({ before, after }) => !isSameState(before, after));
  const publication = {
    ...IMPORTED,
    restaurantGuid,
    number: await updatePublishNumber(sql, restaurantGuid),
    publishedAt: at,
    ...countChanges(changes.map(({ before, after }) => changeKind(before, after))),
  };
  await insertPublication(sql, publication);
  for (let start = 0; start < changes.length; start += BATCH_SIZE) {
    const part = changesText(changes.slice(start, start + BATCH_SIZE));
    await insertPublicationChanges(sql, publication, part);
  }
}
