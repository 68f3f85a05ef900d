import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { changesOf, feed, isLarge } from './examination/feed.ts';
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

export interface RollBackOrder {
  readonly restaurantGuid: string;
  readonly number: number;
  /** The newest publication that the caller knows; null to skip the check. */
  readonly expectedNumber: number | null;
  readonly note: string | null;
}

/**
 * Archives objects that came later and keeps drafts. Null when the publication doesn't exist.
 * Throws ApiError `conflict` when it is the newest one, or when the newest one is not the expected
 * one.
 */
export async function rollBack(
  deps: PublishDeps,
  { restaurantGuid, number, expectedNumber, note }: RollBackOrder,
  origin: ChangeOrigin,
): Promise<PublicationRow | null> {
  const { database, clock, examiner } = deps;
  const large = await isLarge(database.sql, [restaurantGuid]);
  return await examiner.examine(large, (examination) =>
    database.transaction(async (sql) => {
      const [restaurant] = await listRestaurantsLocked(sql, [restaurantGuid]);
      if (!restaurant || !(await isKnown(sql, restaurant, number))) return null;
      refuseMoved(restaurant, number, expectedNumber);
      await feed(sql, examination, restaurantGuid);
      await examination.ask('rollBack', await listStatesAt(sql, restaurantGuid, number));
      const changes = await changesOf(examination);
      if (changes.count === 0) throw nothingDiffers(number);
      const order = {
        cause: 'ROLLED_BACK',
        note,
        rolledBackTo: number,
        groupPublicationGuid: null,
      } as const;
      return await recordPublication({ sql, clock }, restaurant, changes, order, origin);
    }),
  );
}

/** Nothing comes before a restaurant's first publication. */
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
