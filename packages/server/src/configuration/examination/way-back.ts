import type { ObjectChange } from '../document/contents.ts';
import { deriveMultiLocationId } from '../document/identity.ts';
import type { ObjectsByPlace } from '../effective.ts';
import { byPlaceKey, isSameState, placeKey } from '../object-state.ts';
import type { StateAt } from '../publication-store.ts';

/** A later item returns its multiLocationId to the item that had it then. */
export function changesBackTo(
  published: ObjectsByPlace,
  states: readonly StateAt[],
): ObjectChange[] {
  const back = states.map(({ before: then, ...place }) => {
    const before = published.get(placeKey(place));
    if (!before) throw new Error(`an object of the history is not stored: ${place.collection}`);
    return {
      before,
      after: { ...before, ...(then ?? { archived: true }) },
      isLater: then === null,
    };
  });
  const result = new Map([...published, ...byPlaceKey(back.map(({ after }) => after))]);
  const items = [...result.values()].filter(({ collection }) => collection === 'menuItems');
  const owners = Map.groupBy(items, ({ multiLocationId }) => multiLocationId);
  return back
    .map(({ before, after, isLater }) => {
      const isShared = (owners.get(after.multiLocationId)?.length ?? 0) > 1;
      const gives = isLater && isShared && after.collection === 'menuItems';
      const multiLocationId = gives ? deriveMultiLocationId(after.guid) : after.multiLocationId;
      return { before, after: { ...after, multiLocationId } };
    })
    .filter(({ before, after }) => !isSameState(before, after));
}
