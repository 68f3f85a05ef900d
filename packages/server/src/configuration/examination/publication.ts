import { checkDrafted } from '../check-configuration.ts';
import { type DraftedConfiguration, draftedChanges, outdatedPlaces } from '../effective.ts';
import type { ObjectChange } from '../object-state.ts';
import { brokenRules, nothingToPublish, outdatedDrafts } from '../refusals.ts';

/** What is known of drafts that are to be published. */
export interface PublishedDrafts {
  readonly restaurantGuid: string;
  /** True when whoever publishes them has looked at a preview of just these. */
  readonly isPreviewed: boolean;
  /** What faults begin with, where several restaurants are published; else empty. */
  readonly prefix: string;
}

/**
 * What publishing drafts changes. Throws ApiError `conflict` when drafts are outdated and nobody
 * looked at a preview of them, and when nothing would change; `unprocessable` with every fault when
 * they break rules.
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
