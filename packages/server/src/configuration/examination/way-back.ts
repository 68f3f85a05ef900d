import type { ObjectContents } from '../document/contents.ts';
import { deriveMultiLocationId } from '../document/identity.ts';
import type { ObjectsByPlace } from '../effective.ts';
import { isSameState, type ObjectChange, placeKey } from '../object-state.ts';
import type { StateAt } from '../publication-store.ts';

interface ChangeBack extends ObjectChange {
  readonly isLater?: boolean;
}

export function changesBackTo(
  published: ObjectsByPlace,
  states: readonly StateAt[],
): ObjectChange[] {
  const back = states.map(({ collection, guid: objectGuid, before }): ChangeBack => {
    const now = published.get(placeKey({ collection, guid: objectGuid }));
    if (!now) throw new Error(`an object of the history is not stored: ${collection}`);
    if (before) return { before: now, after: { ...now, ...before } };
    return { before: now, after: { ...now, archived: true }, isLater: true };
  });
  return withOwnIdentifiers(back, published).filter(
    ({ before, after }) => !isSameState(before, after),
  );
}

/** A later item returns its multiLocationId to the item that had it then. */
function withOwnIdentifiers(
  changes: readonly ChangeBack[],
  published: ObjectsByPlace,
): ObjectChange[] {
  const result = new Map(published);
  for (const { after } of changes) result.set(keyOf(after), after);
  const owners = Map.groupBy(
    [...result.values()].filter(({ kind }) => kind === 'menuItems'),
    ({ multiLocationId }) => multiLocationId,
  );
  return changes.map(({ before, after, isLater }) => {
    const isShared = (owners.get(after.multiLocationId)?.length ?? 0) > 1;
    const gives = isLater && isShared && after.kind === 'menuItems';
    return {
      before,
      after: gives ? { ...after, multiLocationId: deriveMultiLocationId(after.guid) } : after,
    };
  });
}

function keyOf({ kind, guid }: ObjectContents): string {
  return placeKey({ collection: kind, guid });
}
