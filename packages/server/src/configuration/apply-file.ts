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

/** What applying a document did. */
export interface AppliedFile {
  readonly plan: ConfigurationPlan;
  /** Null when nothing differed. */
  readonly publication: PublicationRow | null;
}

/** What is said beside a document that is to be applied. */
export interface ApplyOrder {
  /** The state of the plan that was looked at; null when none was. */
  readonly expectedState: string | null;
  readonly note: string | null;
}

/** A body that holds a configuration document, as it was sent. */
export interface DocumentBody {
  readonly restaurantGuid: string;
  readonly body: string;
}

/**
 * What applying the document of a body to a restaurant would do. `read` gets the body without what
 * is in the document, and throws for what must not be. Throws what `parseJson` throws, and ApiError
 * `unprocessable` with every fault of the document.
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
 * Makes what is published what the document of a body says, in one publication, or in none when
 * nothing differs. Drafts stay. Throws what `planFile` throws, and ApiError `conflict` when the
 * configuration is another by now than the one of the expected plan.
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

/** Whoever waits for the examiner has no connection to the database yet. */
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

/** `holdGuids` is called before a document's own GUIDs are looked for elsewhere. */
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
