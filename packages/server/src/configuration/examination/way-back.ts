import type { ObjectChange, ObjectContents } from '../document/contents.ts';
import { deriveMultiLocationId } from '../document/identity.ts';
import type { ObjectsByPlace } from '../effective.ts';
import { byPlaceKey, isSameState, placeKey } from '../object-state.ts';
import type { StateAt } from '../publication-store.ts';

/** A later object returns its multiLocationId to the one that had it then. */
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
  const owners = Map.groupBy(result.values(), idKey);
  return back
    .map(({ before, after, isLater }) => {
      const isShared = (owners.get(idKey(after))?.length ?? 0) > 1;
      const gives = isLater && isShared && after.multiLocationId !== null;
      const multiLocationId = gives ? deriveMultiLocationId(after.guid) : after.multiLocationId;
      return { before, after: { ...after, multiLocationId } };
    })
    .filter(({ before, after }) => !isSameState(before, after));
}

function idKey({ collection, multiLocationId }: ObjectContents): string {
  return `${collection} ${multiLocationId}`;
}
