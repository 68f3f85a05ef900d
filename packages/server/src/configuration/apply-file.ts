import type { ConfigurationPlan } from '@servery/contract';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { publishedState } from './effective.ts';
import type { Examination, Examiner } from './examination/examiner.ts';
import { changesOf, feed, isLarge } from './examination/feed.ts';
import {
  findGroupHeldForGuids,
  findRestaurantHead,
  listGuidsElsewhere,
  listRestaurantsLocked,
  type PublicationRow,
  type RestaurantHead,
} from './publication-store.ts';
import type { PublishDeps } from './publish.ts';
import { recordPublication } from './record-publication.ts';
import { stateMoved } from './refusals.ts';

export interface AppliedFile {
  readonly plan: ConfigurationPlan;
  readonly publication: PublicationRow | null;
}

export interface ApplyOrder {
  readonly expectedState: string | null;
  readonly note: string | null;
}

export interface DocumentBody {
  readonly restaurantGuid: string;
  readonly body: string;
}

/**
 * Throws what `parseJson` throws, and ApiError `unprocessable` with every fault. `read` gets the
 * body without the document's content and throws for an invalid one.
 */
export async function planFile(
  { database, examiner }: Pick<PublishDeps, 'database' | 'examiner'>,
  sent: DocumentBody,
  read: (body: unknown) => void,
): Promise<ConfigurationPlan> {
  return await opened({ database, examiner }, sent, async (examination, body) => {
    read(body);
    return await database.transaction(
      async (sql) => {
        const restaurant = await findRestaurantHead(sql, sent.restaurantGuid);
        if (!restaurant) throw new Error('the restaurant of a plan does not exist');
        return await planWith(sql, examination, restaurant, async () => true);
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  });
}

/**
 * Applies the document in one publication, or in none when nothing differs. Drafts stay. Throws
 * what `planFile` throws, and ApiError `conflict` when the configuration changed since the expected
 * plan.
 */
export async function applyFile(
  { database, clock, examiner }: PublishDeps,
  sent: DocumentBody,
  read: (body: unknown) => ApplyOrder,
  origin: ChangeOrigin,
): Promise<AppliedFile> {
  return await opened({ database, examiner }, sent, async (examination, body) => {
    const { expectedState, note } = read(body);
    return await database.transaction(async (sql) => {
      const [restaurant] = await listRestaurantsLocked(sql, [sent.restaurantGuid]);
      if (!restaurant) throw new Error('the restaurant of a document does not exist');
      const state = publishedState(restaurant.guid, restaurant.publishNumber);
      if (expectedState !== null && expectedState !== state) throw stateMoved('configuration');
      const plan = await planWith(sql, examination, restaurant, () =>
        findGroupHeldForGuids(sql, restaurant.managementGroupGuid),
      );
      if (plan.isUpToDate) return { plan, publication: null };
      const order = {
        cause: 'APPLIED',
        note,
        rolledBackTo: null,
        groupPublicationGuid: null,
      } as const;
      const changes = await changesOf(examination);
      const deps = { sql, clock };
      return {
        plan,
        publication: await recordPublication(deps, restaurant, changes, order, origin),
      };
    });
  });
}

/** Waits for the examiner before it takes a database connection. */
async function opened<Result>(
  { database, examiner }: { readonly database: Database; readonly examiner: Examiner },
  { restaurantGuid, body }: DocumentBody,
  work: (examination: Examination, body: unknown) => Promise<Result>,
): Promise<Result> {
  const large = await isLarge(database.sql, [restaurantGuid], body.length);
  return await examiner.examine(large, async (examination) =>
    work(examination, await examination.ask('open', body)),
  );
}

/** Calls `holdGuids` before it looks elsewhere for the document's own GUIDs. */
async function planWith(
  sql: Sql,
  examination: Examination,
  restaurant: RestaurantHead,
  holdGuids: () => Promise<boolean>,
): Promise<ConfigurationPlan> {
  await feed(sql, examination, restaurant.guid);
  const { plan, givenGuids } = await examination.ask('plan', restaurant);
  if (givenGuids.length > 0) {
    await holdGuids();
    const taken = await listGuidsElsewhere(sql, restaurant, givenGuids);
    if (taken.length > 0) await examination.ask('refuseGuids', taken);
  }
  return plan;
}
