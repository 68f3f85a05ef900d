import type { ConfigurationPlan } from '@servery/contract';
import { countActions, describeAction, SHOWN_CHANGES } from '../describe-changes.ts';
import { publishedState } from '../effective.ts';
import type { ObjectChange } from '../object-state.ts';
import type { RestaurantHead } from '../publication-store.ts';

export function planOf(
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
