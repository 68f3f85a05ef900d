import { originOf } from '../../audit/origin.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { examine, feed } from '../examine.ts';
import {
  findLaterPublicationCount,
  findPublication,
  findRestaurantLocked,
  listStatesAt,
  type RestaurantHead,
} from '../publication-store.ts';
import type { PublishDeps } from '../publish.ts';
import { recordPublication } from '../record-publication.ts';
import { noSuchPublication, nothingDiffers } from '../refusals.ts';
import { publicationOnWire } from './on-wire.ts';

/** Archives objects that came later and keeps drafts. */
export const rollBackHandler =
  (deps: PublishDeps): HandlerOf<'backOffice.configuration.publications.rollBack'> =>
  async (request) => {
    const { expectedNumber = null, note = null } = request.body;
    const { number } = request.params;
    const { database, clock, realClock } = deps;
    const origin = originOf(request, realClock);
    const row = await examine(deps, request, [request.restaurant], (examination) =>
      database.transaction(async (sql) => {
        const restaurant = await findRestaurantLocked(sql, request.restaurant.guid);
        if (!(await isKnown(sql, restaurant, number))) throw noSuchPublication();
        refuseMoved(restaurant, number, expectedNumber);
        await feed(sql, examination, restaurant.guid);
        const states = await listStatesAt(sql, restaurant.guid, number);
        await examination.ask('rollBack', number, states);
        const order = { cause: 'ROLLED_BACK', note, rolledBackTo: number } as const;
        return await recordPublication({ sql, clock, examination, restaurant, origin }, order);
      }),
    );
    return { json: publicationOnWire(row) };
  };

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
        'in between. Look at the history, then send the number of the newest publication.',
    );
  }
  if (number === publishNumber) throw nothingDiffers(number);
}
