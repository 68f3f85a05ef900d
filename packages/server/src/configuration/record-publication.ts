import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../db/database.ts';
import { updatePublishNumber } from '../restaurants/write-store.ts';
import type { Clock } from '../support/clock.ts';
import { changeKind, countChanges } from './describe-changes.ts';
import { digestOf, type ObjectChange, placeOf, stateText } from './object-state.ts';
import {
  insertPublication,
  insertPublicationChanges,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import { type PublishedObject, updateMultiLocationIdsFreed, upsertObjects } from './write-store.ts';

/** What writing a publication leans on; `sql` is the transaction that holds the restaurant. */
export interface RecordDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Why a publication is made, in whose words. */
export type PublicationOrder = Pick<
  PublicationRow,
  'cause' | 'note' | 'rolledBackTo' | 'groupPublicationGuid'
>;

/**
 * Publishes changes of a restaurant's configuration: raises its publish number by one, writes the
 * history and the record of changes, then the objects. They are dated and written last, so that
 * little time passes until a partner that asks for what changed can see them (C8). Takes the same
 * few statements for one object as for thousands.
 */
export async function recordPublication(
  { sql, clock }: RecordDeps,
  restaurant: RestaurantHead,
  changes: readonly ObjectChange[],
  order: PublicationOrder,
  origin: ChangeOrigin,
): Promise<PublicationRow> {
  const publication: PublicationRow = {
    restaurantGuid: restaurant.guid,
    number: await updatePublishNumber(sql, restaurant.guid),
    publishedBy: origin.by,
    publishedAt: origin.at,
    ...order,
    ...countChanges(changes.map(({ before, after }) => changeKind(before, after))),
  };
  await insertPublication(sql, publication);
  await insertPublicationChanges(sql, publication, changes);
  await insertEntry(sql, origin, entryOf(restaurant, publication, changes));
  const items = changes.filter(isMovedItem).map(({ after }) => after);
  if (items.length > 0) await updateMultiLocationIdsFreed(sql, restaurant.guid, items);
  const objects = changes.map(({ after }) => publishedObject(after));
  await upsertObjects(sql, restaurant.guid, objects, new Date(clock.nowMs()));
  return publication;
}

/** Items whose multiLocationId another one may have had until now. */
function isMovedItem({ before, after }: ObjectChange): boolean {
  return after.kind === 'menuItems' && before?.multiLocationId !== after.multiLocationId;
}

/** An object as it is published at the time of the statement. */
function publishedObject({ kind, fields, modifiedMs: _ms, ...object }: ObjectChange['after']) {
  const published: PublishedObject = {
    ...object,
    collection: kind,
    fields: JSON.stringify(fields),
    modifiedAt: null,
  };
  return published;
}

/** The whole objects stand in the history; the record of changes holds their digest. */
function entryOf(
  { guid, managementGroupGuid, publishNumber }: RestaurantHead,
  { publishedAt, ...publication }: PublicationRow,
  changes: readonly ObjectChange[],
) {
  const states = changes.map(({ before, after }) => [
    placeOf(after),
    before && stateText(before),
    stateText(after),
  ]);
  return {
    subject: { kind: 'publication', id: `${guid}/${publication.number}` },
    managementGroupGuid,
    restaurantGuid: guid,
    before: { number: publishNumber },
    after: {
      ...publication,
      publishedAt: publishedAt.toISOString(),
      objects: changes.length,
      changesDigest: digestOf(JSON.stringify(states)),
    },
  } as const;
}
