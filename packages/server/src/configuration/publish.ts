import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../audit/origin.ts';
import type { Database } from '../database/database.ts';
import type { BackOfficeRequest } from '../http/operation.ts';
import type { ObjectPlace } from './document/contents.ts';
import { deleteDrafts } from './draft-store.ts';
import { draftState, readNamedDrafts } from './effective.ts';
import type { Examiner } from './examination/examiner.ts';
import { examine, feed } from './examine.ts';
import {
  listRestaurantsLocked,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import { type PublicationOrder, type RecordDeps, recordPublication } from './record-publication.ts';
import { nothingToPublish, stateMoved, throwNaming, withoutDrafts } from './refusals.ts';

export interface PublishDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly examiner: Examiner;
}

export interface PublishPart {
  readonly restaurant: Pick<RestaurantHead, 'guid' | 'managementGroupGuid'>;
  readonly objects: readonly ObjectPlace[] | null;
  readonly expectedState: string | null;
}

/**
 * Publishes all parts or, when one refuses, none. Throws ApiError `conflict` when there is nothing
 * to publish, when the state is not the expected one, and when outdated drafts were not previewed;
 * `unprocessable` with every fault when drafts break rules.
 */
export async function publish(
  deps: PublishDeps,
  request: BackOfficeRequest,
  parts: readonly PublishPart[],
  words: Pick<PublicationOrder, 'note' | 'groupPublicationGuid'>,
): Promise<readonly PublicationRow[]> {
  const { database, clock, realClock } = deps;
  const origin = originOf(request, realClock);
  const restaurants = parts.map(({ restaurant }) => restaurant);
  const order = { cause: 'PUBLISHED', ...words } as const;
  return await examine(deps, request, restaurants, (examination) =>
    database.transaction(async (sql) => {
      const guids = restaurants.map(({ guid }) => guid);
      const locked = await listRestaurantsLocked(sql, guids);
      const written: PublicationRow[] = [];
      for (const part of parts) {
        const restaurant = locked.find(({ guid }) => guid === part.restaurant.guid);
        if (!restaurant) throw new Error('a restaurant of a publication does not exist');
        const recording = { sql, clock, examination, restaurant, origin };
        const prefix = order.groupPublicationGuid === undefined ? '' : `${restaurant.name}: `;
        const publishing = publishPart(recording, part, order, prefix);
        written.push(await publishing.catch((error) => throwNaming(prefix, error)));
      }
      return written;
    }),
  );
}

async function publishPart(
  recording: RecordDeps,
  { objects, expectedState }: PublishPart,
  order: PublicationOrder,
  prefix: string,
): Promise<PublicationRow> {
  const { sql, examination, restaurant } = recording;
  const { guid: restaurantGuid, publishNumber } = restaurant;
  const { drafts, missing } = await readNamedDrafts(sql, restaurantGuid, objects);
  if (expectedState !== null && expectedState !== draftState(publishNumber, drafts)) {
    throw stateMoved('drafts');
  }
  if (missing.length > 0) throw withoutDrafts('conflict', missing);
  if (drafts.length === 0) throw nothingToPublish(false);
  await feed(sql, examination, restaurantGuid);
  const isPreviewed = expectedState !== null;
  await examination.ask('publish', { restaurant, isPreviewed, prefix }, drafts);
  await deleteDrafts(sql, restaurantGuid, drafts);
  return await recordPublication(recording, order);
}
