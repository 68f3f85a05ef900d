/** How many objects a list shows when nobody says. */
export const DEFAULT_LIMIT = 50;

/** That a list is cut short. Whoever asked for fewer than a list shows unasked knows that. */
export function moreNotes(hasMore: boolean, count: number): readonly string[] {
  return hasMore && count >= DEFAULT_LIMIT ? [`There are more than ${count}: see --limit.`] : [];
}
