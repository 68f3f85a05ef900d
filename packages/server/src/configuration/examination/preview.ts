import type { ConfigurationPreview } from '@servery/contract';
import { checkDrafted } from '../check-configuration.ts';
import { countChanges, SHOWN_CHANGES } from '../describe-changes.ts';
import { type DraftedConfiguration, draftState, outdatedPlaces, withDrafts } from '../effective.ts';
import { viewChanges } from '../partner-view.ts';
import type { RestaurantHead } from '../publication-store.ts';
import { previewMenus } from './preview-menus.ts';

export function previewOf(
  restaurant: RestaurantHead,
  drafted: DraftedConfiguration,
): ConfigurationPreview {
  const { guid: restaurantGuid, publishNumber } = restaurant;
  const checked = checkDrafted(restaurant, drafted);
  const after = withDrafts(drafted, checked.faultCount === 0 ? checked.objects : new Map());
  const changes = viewChanges(restaurantGuid, drafted.published.values(), after.values());
  const { menus, faults: menuFaults } = previewMenus(restaurantGuid, drafted, after);
  const faultCount = checked.faultCount + menuFaults.length;
  return {
    restaurantGuid,
    publishNumber,
    state: draftState(publishNumber, drafted.drafts),
    isPublishable: faultCount === 0 && drafted.drafts.length > 0,
    counts: countChanges(changes.map(({ kind }) => kind)),
    collections: countsByCollection(changes),
    changes: changes.slice(0, SHOWN_CHANGES),
    changeCount: changes.length,
    faults: [...checked.faults, ...menuFaults],
    faultCount,
    menus,
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
