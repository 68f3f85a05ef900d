import type { ConfigurationPlan } from '@servery/contract';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import { countActions, describeAction, SHOWN_CHANGES } from './describe-changes.ts';
import { publishedState, readPublished } from './effective.ts';
import { byPlace, type ObjectChange, placeOf } from './object-state.ts';
import {
  findRestaurantHead,
  listGuidsElsewhere,
  listRestaurantsLocked,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import type { PublishDeps } from './publish.ts';
import { readFile } from './read-file.ts';
import { recordPublication } from './record-publication.ts';
import { stateMoved, TAKEN_ELSEWHERE } from './refusals.ts';

/** What applying a document did. */
export interface AppliedFile {
  readonly plan: ConfigurationPlan;
  /** Null when nothing differed. */
  readonly publication: PublicationRow | null;
}

/** A document to be applied. */
export interface ApplyOrder {
  readonly restaurantGuid: string;
  readonly document: unknown;
  /** The state of the plan that was looked at; null when none was. */
  readonly expectedState: string | null;
  readonly note: string | null;
}

/**
 * What applying a configuration document to a restaurant would do. Throws ApiError `unprocessable`
 * with every fault of the document.
 */
export async function planFile(
  database: Database,
  restaurantGuid: string,
  document: unknown,
): Promise<ConfigurationPlan> {
  return await database.transaction(
    async (sql) => {
      const restaurant = await findRestaurantHead(sql, restaurantGuid);
      if (!restaurant) throw new Error('the restaurant of a plan does not exist');
      return planOf(restaurant, await changesOf(sql, restaurant, document));
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/**
 * Makes what is published what a configuration document says, in one publication, or in none when
 * nothing differs. Drafts stay. Throws what `planFile` throws, and ApiError `conflict` when the
 * configuration is another by now than the one of the expected plan.
 */
export async function applyFile(
  { database, clock }: PublishDeps,
  { restaurantGuid, document, expectedState, note }: ApplyOrder,
  origin: ChangeOrigin,
): Promise<AppliedFile> {
  return await database.transaction(async (sql) => {
    const [restaurant] = await listRestaurantsLocked(sql, [restaurantGuid]);
    if (!restaurant) throw new Error('the restaurant of a document does not exist');
    const state = publishedState(restaurant.guid, restaurant.publishNumber);
    if (expectedState !== null && expectedState !== state) throw stateMoved('configuration');
    const changes = await changesOf(sql, restaurant, document);
    const plan = planOf(restaurant, changes);
    if (changes.length === 0) return { plan, publication: null };
    const order = {
      cause: 'APPLIED',
      note,
      rolledBackTo: null,
      groupPublicationGuid: null,
    } as const;
    const publication = await recordPublication({ sql, clock }, restaurant, changes, order, origin);
    return { plan, publication };
  });
}

async function changesOf(
  sql: Sql,
  restaurant: RestaurantHead,
  document: unknown,
): Promise<ObjectChange[]> {
  const published = await readPublished(sql, restaurant.guid);
  const { changes, givenGuids } = readFile(restaurant, published, document);
  if (givenGuids.size > 0) {
    const taken = await listGuidsElsewhere(sql, restaurant, [...givenGuids.keys()]);
    if (taken.length > 0) throw takenElsewhere(taken, givenGuids);
  }
  return [...changes].sort((one, other) => byPlace(placeOf(one.after), placeOf(other.after)));
}

function takenElsewhere(taken: readonly string[], places: ReadonlyMap<string, string>): ApiError {
  const faults = taken.slice(0, 50).map((guid) => ({
    where: places.get(guid) ?? guid,
    message: TAKEN_ELSEWHERE,
  }));
  const [first] = faults;
  return new ApiError(
    'unprocessable',
    `The document cannot be applied: ${first?.where}: ${first?.message}.`,
    { faults },
  );
}

function planOf(
  { guid, publishNumber }: RestaurantHead,
  changes: readonly ObjectChange[],
): ConfigurationPlan {
  const actions = changes.map(describeAction);
  return {
    restaurantGuid: guid,
    publishNumber,
    state: publishedState(guid, publishNumber),
    isUpToDate: actions.length === 0,
    counts: countActions(actions.map(({ action }) => action)),
    actions: actions.slice(0, SHOWN_CHANGES),
    actionCount: actions.length,
  };
}
