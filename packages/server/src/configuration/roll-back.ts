import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import type { ObjectContents } from './document/contents.ts';
import { type ObjectsByPlace, readPublished } from './effective.ts';
import { isSameState, type ObjectChange, placeKey } from './object-state.ts';
import {
  findLaterPublicationCount,
  findPublication,
  listRestaurantsLocked,
  listStatesAt,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import type { PublishDeps } from './publish.ts';
import { recordPublication } from './record-publication.ts';

/** Where to go back to, and from where. */
export interface RollBackOrder {
  readonly restaurantGuid: string;
  readonly number: number;
  /** The publication that the caller believes to be the newest; null when he does not say. */
  readonly expectedNumber: number | null;
  readonly note: string | null;
}

/**
 * Publishes again what an earlier publication showed; objects that came later are archived. Drafts
 * stay. Gives null when there is no such publication. Throws ApiError `conflict` when it is what is
 * published now, and when the newest publication is another than the expected one.
 */
export async function rollBack(
  deps: PublishDeps,
  { restaurantGuid, number, expectedNumber, note }: RollBackOrder,
  origin: ChangeOrigin,
): Promise<PublicationRow | null> {
  return await deps.database.transaction(async (sql) => {
    const [restaurant] = await listRestaurantsLocked(sql, [restaurantGuid]);
    if (!restaurant || !(await isKnown(sql, restaurant, number))) return null;
    refuseMoved(restaurant, number, expectedNumber);
    const changes = await changesBackTo(sql, restaurant, number);
    if (changes.length === 0) throw nothingDiffers(number);
    const order = {
      cause: 'ROLLED_BACK',
      note,
      rolledBackTo: number,
      groupPublicationGuid: null,
    } as const;
    return await recordPublication({ sql, clock: deps.clock }, restaurant, changes, order, origin);
  });
}

/** Whether it is known what the publication showed. Nothing comes before a restaurant's first. */
async function isKnown(
  sql: Sql,
  { guid, publishNumber }: RestaurantHead,
  number: number,
): Promise<boolean> {
  if (number > publishNumber) return false;
  if (number !== 1 && !(await findPublication(sql, guid, number))) return false;
  return (await findLaterPublicationCount(sql, guid, number)) === publishNumber - number;
}

function refuseMoved(
  { publishNumber }: RestaurantHead,
  number: number,
  expectedNumber: number | null,
): void {
  if (expectedNumber !== null && expectedNumber !== publishNumber) {
    throw new ApiError(
      'conflict',
      `The newest publication is ${publishNumber}, not ${expectedNumber}: somebody published ` +
        'meanwhile. Look at the history, then send the number that you go back from.',
    );
  }
  if (number === publishNumber) throw nothingDiffers(number);
}

function nothingDiffers(number: number): ApiError {
  return new ApiError(
    'conflict',
    `Publication ${number} is what is published now: there is nothing to roll back.`,
  );
}

/** A change back; of an object that came later, which is to be archived. */
interface ChangeBack extends ObjectChange {
  readonly isLater?: boolean;
}

async function changesBackTo(
  sql: Sql,
  { guid }: RestaurantHead,
  number: number,
): Promise<ObjectChange[]> {
  const published = await readPublished(sql, guid);
  const states = await listStatesAt(sql, guid, number);
  const back = states.map(({ collection, guid: objectGuid, before }): ChangeBack => {
    const now = published.get(placeKey({ collection, guid: objectGuid }));
    if (!now) throw new Error(`an object of the history is not stored: ${collection}`);
    if (before) return { before: now, after: { ...now, ...before } };
    return { before: now, after: { ...now, archived: true }, isLater: true };
  });
  return withOwnIdentifiers(back, published).filter(
    ({ before, after }) => !isSameState(before, after),
  );
}

/** What came later gives a multiLocationId back to the item that had it then. */
function withOwnIdentifiers(
  changes: readonly ChangeBack[],
  published: ObjectsByPlace,
): ObjectChange[] {
  const result = new Map(published);
  for (const { after } of changes) result.set(keyOf(after), after);
  const owners = Map.groupBy(
    [...result.values()].filter(({ kind }) => kind === 'menuItems'),
    ({ multiLocationId }) => multiLocationId,
  );
  return changes.map(({ before, after, isLater }) => {
    const isShared = (owners.get(after.multiLocationId)?.length ?? 0) > 1;
    const gives = isLater && isShared && after.kind === 'menuItems';
    return { before, after: gives ? { ...after, multiLocationId: after.guid } : after };
  });
}

function keyOf({ kind, guid }: ObjectContents): string {
  return placeKey({ collection: kind, guid });
}
