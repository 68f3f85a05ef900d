import { collectionReferences, type ReferenceField } from '@servery/contract';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import {
  isSameState,
  type ObjectChange,
  type ObjectPlace,
  placeKey,
  placeOf,
} from './object-state.ts';

/**
 * Partners also see an unchanged object differently when it refers to one that appears, disappears
 * or changes its external identifier, or when it embeds one that changes. Such objects count as
 * modified (CFG-12). `objects` is the configuration before or after the changes.
 */
export function changedReferences(
  objects: Iterable<ObjectContents>,
  changes: readonly ObjectChange[],
): ObjectPlace[] {
  const changed = new Map(changes.map((change) => [placeKey(placeOf(change.after)), change]));
  const places: ObjectPlace[] = [];
  for (const object of objects) {
    const place = placeOf(object);
    if (object.archived || changed.has(placeKey(place))) continue;
    const references = referencesOf(object.kind);
    if (references.some((field) => showsChange(object, field, changed))) places.push(place);
  }
  return places;
}

function referencesOf(kind: ObjectKind): readonly ReferenceField[] {
  return kind === 'tipWithholding' ? [] : collectionReferences[kind];
}

function showsChange(
  { fields }: ObjectContents,
  reference: ReferenceField,
  changed: ReadonlyMap<string, ObjectChange>,
): boolean {
  const stored = fields[reference.field];
  const guids = Array.isArray(stored) ? stored : [stored];
  return guids.some((guid) => {
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
