import type { Sql } from '../database/database.ts';
import { changedReferences } from './changed-references.ts';
import { changeKind, countChanges } from './describe-changes.ts';
import type { ObjectContents } from './document/contents.ts';
import { byPlaceKey } from './effective.ts';
import { contentsOf, isSameState, type ObjectChange, placeKey, placeOf } from './object-state.ts';
import {
  insertPublication,
  insertPublicationChanges,
  updatePublishNumber,
} from './publication-store.ts';
import { listObjects, type StoredObject, updateModifiedAt } from './write-store.ts';
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

/** How the changes of an import are dated. */
export interface ImportTimes {
  readonly at: Date;
  /** What changes have until the time of the import is known. */
  readonly changing: Date;
  /** The objects of the document that it does not date itself. */
  readonly undated: readonly ObjectContents[];
}

/**
 * Publishes what an import changed at a restaurant, and writes it into the history, in the
 * transaction of the import. `stored` are the restaurant's objects before that. What partners see
 * differently through a reference is dated `changing`, as what the import changed itself, unless the
 * document dates it.
 */
export async function recordImportedChanges(
  sql: Sql,
  restaurantGuid: string,
  stored: readonly StoredObject[],
  { at, changing, undated }: ImportTimes,
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
  const references = changedReferences(undated, changes);
  await updateModifiedAt(sql, restaurantGuid, references, changing);
}
