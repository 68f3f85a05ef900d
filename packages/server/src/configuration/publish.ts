import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { deleteDrafts } from './draft-store.ts';
import { draftState, readNamedDrafts } from './effective.ts';
import type { Examination, Examiner } from './examination/examiner.ts';
import { changesOf, feed, isLarge } from './examination/feed.ts';
import { type ObjectPlace, placeOf } from './object-state.ts';
import {
  listRestaurantsLocked,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import { recordPublication } from './record-publication.ts';
import { nothingToPublish, stateMoved, throwOf, withoutDrafts } from './refusals.ts';

export interface PublishDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly examiner: Examiner;
}

export interface PublishPart {
  readonly restaurantGuid: string;
  readonly objects: readonly ObjectPlace[] | null;
  readonly expectedState: string | null;
}

export interface GroupPublished {
  readonly guid: string;
  readonly publications: readonly PublicationRow[];
}

/**
 * Throws ApiError `conflict` when there is nothing to publish, when the state is not the expected
 * one, and when outdated drafts were not previewed; `unprocessable` with every fault when drafts
 * break rules.
 */
export async function publish(
  deps: PublishDeps,
  part: PublishPart,
  note: string | null,
  origin: ChangeOrigin,
): Promise<PublicationRow> {
  const { database, clock, examiner } = deps;
  const words = { note, origin, groupPublicationGuid: null };
  const large = await isLarge(database.sql, [part.restaurantGuid]);
  return await examiner.examine(large, (examination) =>
    database.transaction(async (sql) => {
      const [restaurant] = await listRestaurantsLocked(sql, [part.restaurantGuid]);
      if (!restaurant) throw new Error('the restaurant of a publication does not exist');
      return await publishPart({ sql, clock, examination }, restaurant, part, words);
    }),
  );
}

/** Publishes all or, when one refuses, none. Throws what `publish` throws. */
export async function publishTogether(
  deps: PublishDeps,
  parts: readonly PublishPart[],
  note: string | null,
  origin: ChangeOrigin,
): Promise<GroupPublished> {
  const { database, clock, examiner } = deps;
  const guid = newGuid();
  const words = { note, origin, groupPublicationGuid: guid };
  const guids = parts.map(({ restaurantGuid }) => restaurantGuid);
  const large = await isLarge(database.sql, guids);
  const publications = await examiner.examine(large, (examination) =>
    database.transaction(async (sql) => {
      const heads = new Map(
        (await listRestaurantsLocked(sql, guids)).map((head) => [head.guid, head]),
      );
      const written: PublicationRow[] = [];
      for (const part of parts) {
        const restaurant = heads.get(part.restaurantGuid);
        if (!restaurant) throw new Error('a restaurant of a group publication does not exist');
        const publishing = publishPart({ sql, clock, examination }, restaurant, part, words);
        written.push(await publishing.catch((error) => throwOf(restaurant.name, error)));
      }
      return written;
    }),
  );
  return { guid, publications };
}

async function publishPart(
  deps: { readonly sql: Sql; readonly clock: Clock; readonly examination: Examination },
  restaurant: RestaurantHead,
  part: PublishPart,
  words: {
    readonly note: string | null;
    readonly origin: ChangeOrigin;
    readonly groupPublicationGuid: string | null;
  },
): Promise<PublicationRow> {
  const { sql, examination } = deps;
  const { guid: restaurantGuid, name, publishNumber } = restaurant;
  const { drafts, missing } = await readNamedDrafts(sql, restaurantGuid, part.objects);
  const { expectedState } = part;
  if (expectedState !== null) {
    const state = draftState(publishNumber, drafts);
    if (state !== expectedState) throw stateMoved('drafts');
  }
  if (missing.length > 0) throw withoutDrafts('conflict', missing);
  if (drafts.length === 0) throw nothingToPublish(false);
  await feed(sql, examination, restaurantGuid);
  const prefix = words.groupPublicationGuid ? `${name}: ` : '';
  const publishing = { restaurantGuid, isPreviewed: expectedState !== null, prefix };
  await examination.ask('publish', publishing, drafts);
  const changes = await changesOf(examination);
  await deleteDrafts(
    sql,
    restaurantGuid,
    drafts.map(({ object }) => placeOf(object)),
  );
  const { note, origin, groupPublicationGuid } = words;
  const order = { cause: 'PUBLISHED', note, rolledBackTo: null, groupPublicationGuid } as const;
  return await recordPublication(deps, restaurant, changes, order, origin);
}
