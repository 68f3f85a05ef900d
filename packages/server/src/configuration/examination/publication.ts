import { checkDrafted } from '../check-configuration.ts';
import { type DraftedConfiguration, draftedChanges, outdatedPlaces } from '../effective.ts';
import type { ObjectChange } from '../object-state.ts';
import { brokenRules, nothingToPublish, outdatedDrafts } from '../refusals.ts';

export interface PublishedDrafts {
  readonly restaurantGuid: string;
  /** True when the publisher looked at a preview of exactly these drafts. */
  readonly isPreviewed: boolean;
  /** Names the restaurant when there are several; else empty. */
  readonly prefix: string;
}

/**
 * Throws ApiError `conflict` when nothing would change, or when drafts are outdated and were not
 * previewed; `unprocessable` with every fault when they break rules.
 */
export function publicationOf(
  { restaurantGuid, isPreviewed, prefix }: PublishedDrafts,
  drafted: DraftedConfiguration,
): ObjectChange[] {
  const outdated = outdatedPlaces(drafted);
  if (outdated.length > 0 && !isPreviewed) throw outdatedDrafts(outdated);
  const checked = checkDrafted(restaurantGuid, drafted);
  if (checked.faultCount > 0) throw brokenRules(checked, prefix);
  const changes = draftedChanges(drafted, checked.objects);
  if (changes.length === 0) throw nothingToPublish(true);
  return changes;
}
