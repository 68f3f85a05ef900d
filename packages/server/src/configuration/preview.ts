import type { ConfigurationPreview } from '@servery/contract';
import type { Database } from '../db/database.ts';
import { checkDrafted } from './check-configuration.ts';
import { countChanges, SHOWN_CHANGES } from './describe-changes.ts';
import {
  byPlaceKey,
  draftedChanges,
  draftState,
  outdatedPlaces,
  overlaid,
  readDrafted,
} from './effective.ts';
import type { ObjectPlace } from './object-state.ts';
import { viewChanges } from './partner-view.ts';
import { findRestaurantHead } from './publication-store.ts';
import { withoutDrafts } from './refusals.ts';

/**
 * What partners would see differently were the drafts published now: all of them, or those of the
 * named objects. Throws ApiError `unprocessable` for objects that have no draft.
 */
export async function previewDrafts(
  database: Database,
  restaurantGuid: string,
  named: readonly ObjectPlace[] | null,
): Promise<ConfigurationPreview> {
  const { head, drafted } = await database.transaction(
    async (sql) => ({
      head: await findRestaurantHead(sql, restaurantGuid),
      drafted: await readDrafted(sql, restaurantGuid, named),
    }),
    { isolation: 'repeatable read', readOnly: true },
  );
  if (!head) throw new Error('the restaurant of a preview does not exist');
  if (drafted.missing.length > 0) throw withoutDrafts('unprocessable', drafted.missing);
  const { faults, faultCount, objects } = checkDrafted(restaurantGuid, drafted);
  const after = byPlaceKey(overlaid(drafted));
  const drafts = draftedChanges(drafted, objects).map(({ after: object }) => object);
  const changes = viewChanges(
    restaurantGuid,
    drafted.published.values(),
    new Map([...after, ...byPlaceKey(faultCount === 0 ? drafts : [])]).values(),
  );
  return {
    restaurantGuid,
    publishNumber: head.publishNumber,
    state: draftState(head.publishNumber, drafted.drafts),
    isPublishable: faultCount === 0 && drafted.drafts.length > 0,
    counts: countChanges(changes.map(({ kind }) => kind)),
    collections: countsByCollection(changes),
    changes: changes.slice(0, SHOWN_CHANGES),
    changeCount: changes.length,
    faults: [...faults],
    faultCount,
    outdated: outdatedPlaces(drafted),
  };
}

function countsByCollection(
  changes: ConfigurationPreview['changes'],
): ConfigurationPreview['collections'] {
  const byCollection = Map.groupBy(changes, ({ collection }) => collection);
  return [...byCollection].map(([collection, list]) => ({
    collection,
    ...countChanges(list.map(({ kind }) => kind)),
  }));
}
