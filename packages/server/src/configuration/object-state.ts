import { hash } from 'node:crypto';
import { isCollectionName } from '@servery/contract';
import { canonicalObject } from './document/canonical-object.ts';
import type { ObjectContents, ObjectKind, ObjectPlace, ObjectState } from './document/contents.ts';
import type { DocumentObject } from './document/document.ts';

/** The order of keys is fixed, so that equal content gives equal text. */
export function stateOf({
  multiLocationId,
  externalId,
  archived,
  fields,
}: ObjectState): ObjectState {
  return { multiLocationId, externalId, archived, fields };
}

export function stateText(state: ObjectState): string {
  return JSON.stringify(stateOf(state));
}

export function isSameState(one: ObjectState | null, other: ObjectState | null): boolean {
  if (one === null || other === null) return one === other;
  return stateText(one) === stateText(other);
}

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Without the time. */
export function documentOf(object: ObjectContents): DocumentObject {
  return canonicalObject({ ...object, modifiedAt: null });
}

export function nameOfObject({ fields }: Pick<ObjectState, 'fields'>): string | null {
  return typeof fields.name === 'string' ? fields.name : null;
}

export function placeKey({ collection, guid }: ObjectPlace): string {
  return `${collection}/${guid}`;
}

export function placeOf({ collection, guid }: ObjectPlace): ObjectPlace {
  return { collection, guid };
}

export function byPlaceKey<Placed extends ObjectPlace>(
  objects: Iterable<Placed>,
): ReadonlyMap<string, Placed> {
  return new Map(Array.from(objects, (object) => [placeKey(object), object]));
}

export function isObjectKind(text: string): text is ObjectKind {
  return text === 'tipWithholding' || isCollectionName(text);
}
