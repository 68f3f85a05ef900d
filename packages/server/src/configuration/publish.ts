import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../db/database.ts';
import type { Clock } from '../support/clock.ts';
import { newGuid } from '../support/ids.ts';
import { checkDrafted } from './check-configuration.ts';
import { deleteDrafts } from './draft-store.ts';
import { draftedChanges, draftState, outdatedPlaces, readDrafted } from './effective.ts';
import { type ObjectPlace, placeOf } from './object-state.ts';
import {
  listRestaurantsLocked,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import { recordPublication } from './record-publication.ts';
import {
  brokenRules,
  nothingToPublish,
  outdatedDrafts,
  stateMoved,
  withoutDrafts,
} from './refusals.ts';

/** What publishing leans on. */
export interface PublishDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** What of a restaurant is to be published. */
export interface PublishPart {
  readonly restaurantGuid: string;
  /** Null for every draft. */
  readonly objects: readonly ObjectPlace[] | null;
  /** The state of the preview that was looked at; null when none was. */
  readonly expectedState: string | null;
}

/** Restaurants that are published together. */
export interface GroupPublished {
  readonly guid: string;
  /** In the order in which they were asked for. */
  readonly publications: readonly PublicationRow[];
}

/**
 * Publishes the drafts of a restaurant. Throws ApiError `conflict` when there is nothing to
 * publish, when the state is another than the expected one, and when drafts are outdated and nobody
 * looked at a preview of them; `unprocessable` with every fault when they break rules.
 */
export async function publish(
  deps: PublishDeps,
  part: PublishPart,
  note: string | null,
  origin: ChangeOrigin,
): Promise<PublicationRow> {
  return await deps.database.transaction(async (sql) => {
    const [restaurant] = await listRestaurantsLocked(sql, [part.restaurantGuid]);
    if (!restaurant) throw new Error('the restaurant of a publication does not exist');
    return await publishPart({ sql, clock: deps.clock }, restaurant, part, {
      note,
      origin,
      groupPublicationGuid: null,
    });
  });
}

/**
 * Publishes several restaurants in one transaction: all of them, or none when one refuses. Throws
 * what `publish` throws.
 */
export async function publishTogether(
  deps: PublishDeps,
  parts: readonly PublishPart[],
  note: string | null,
  origin: ChangeOrigin,
): Promise<GroupPublished> {
  const guid = newGuid();
  const publications = await deps.database.transaction(async (sql) => {
    const guids = parts.map(({ restaurantGuid }) => restaurantGuid);
    const heads = new Map(
      (await listRestaurantsLocked(sql, guids)).map((head) => [head.guid, head]),
    );
    const written: PublicationRow[] = [];
    for (const part of parts) {
      const restaurant = heads.get(part.restaurantGuid);
      if (!restaurant) throw new Error('a restaurant of a group publication does not exist');
      const words = { note, origin, groupPublicationGuid: guid };
      written.push(await publishPart({ sql, clock: deps.clock }, restaurant, part, words));
    }
    return written;
  });
  return { guid, publications };
}

async function publishPart(
  deps: { readonly sql: Sql; readonly clock: Clock },
  restaurant: RestaurantHead,
  part: PublishPart,
  words: {
    readonly note: string | null;
    readonly origin: ChangeOrigin;
    readonly groupPublicationGuid: string | null;
  },
): Promise<PublicationRow> {
  const drafted = await readDrafted(deps.sql, restaurant.guid, part.objects);
  const { expectedState } = part;
  if (expectedState !== null) {
    const state = draftState(restaurant.publishNumber, drafted.drafts);
    if (state !== expectedState) throw stateMoved('drafts');
  }
  if (drafted.missing.length > 0) throw withoutDrafts('conflict', drafted.missing);
  if (drafted.drafts.length === 0) throw nothingToPublish(false);
  const outdated = outdatedPlaces(drafted);
  if (outdated.length > 0 && expectedState === null) throw outdatedDrafts(outdated);
  const checked = checkDrafted(restaurant.guid, drafted);
  if (checked.faultCount > 0) {
    throw brokenRules(checked, words.groupPublicationGuid ? `${restaurant.name}: ` : '');
  }
  const changes = draftedChanges(drafted, checked.objects);
  if (changes.length === 0) throw nothingToPublish(true);
  await deleteDrafts(
    deps.sql,
    restaurant.guid,
    drafted.drafts.map(({ object }) => placeOf(object)),
  );
  const { note, origin, groupPublicationGuid } = words;
  const order = { cause: 'PUBLISHED', note, rolledBackTo: null, groupPublicationGuid } as const;
  return await recordPublication(deps, restaurant, changes, order, origin);
}
