import type { ReferenceField } from '@servery/contract';
import type { ObjectChange, ObjectContents, ObjectPlace } from './document/contents.ts';
import { referencesOf } from './document/schema.ts';
import { isSameState, placeKey, placeOf } from './object-state.ts';

/**
 * Partners also see an unchanged object differently when it refers to one that appears, disappears
 * or changes its external identifier, or when it embeds one that changes. Such objects count as
 * modified (CFG-12). `objects` is the configuration before or after the changes.
 */
export function changedReferences(
  objects: Iterable<ObjectContents>,
  changes: readonly ObjectChange[],
): ObjectPlace[] {
  const changed = new Map(changes.map((change) => [placeKey(change.after), change]));
  return Iterator.from(objects)
    .filter((object) => !object.archived && !changed.has(placeKey(object)))
    .filter((object) =>
      referencesOf(object.collection)
        .filter(({ kind }) => kind !== null)
        .some((field) => showsChange(object, field, changed)),
    )
    .map(placeOf)
    .toArray();
}

function showsChange(
  { fields }: ObjectContents,
  reference: ReferenceField,
  changed: ReadonlyMap<string, ObjectChange>,
): boolean {
  return [fields[reference.field]].flat().some((guid) => {
    const change = changed.get(placeKey({ collection: reference.target, guid: String(guid) }));
    return change !== undefined && isShownDifferently(change, reference);
  });
}

function isShownDifferently({ before, after }: ObjectChange, { embed, kind }: ReferenceField) {
  const wasLive = before !== null && !before.archived;
  if (wasLive === after.archived) return true;
  if (!wasLive) return false;
  if (embed) return !isSameState(before, after);
  return kind === 'ExternalReference' && before.externalId !== after.externalId;
}
