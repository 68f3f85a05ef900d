import { createHash } from 'node:crypto';
import { isCollectionName } from '@servery/contract';
import { canonicalObject, canonicalTipWithholding } from './document/canonical-object.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import type { DocumentObject } from './document/document.ts';
import type { StoredObject } from './write-store.ts';

export type ObjectState = Pick<
  ObjectContents,
  'multiLocationId' | 'externalId' | 'archived' | 'fields'
>;

export interface ObjectPlace {
  readonly collection: ObjectKind;
  readonly guid: string;
}

export interface ObjectChange {
  readonly before: ObjectContents | null;
  readonly after: ObjectContents;
}

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

export function stateDigest(state: ObjectState): string {
  return digestOf(stateText(state));
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export function contentsOf({ collection, modifiedAt, ...object }: StoredObject): ObjectContents {
  return { ...object, kind: collection as ObjectKind, modifiedMs: modifiedAt.getTime() };
}

export function readObjectText(text: string): ObjectContents {
  const [kind, guid, multiLocationId, externalId, archived, modifiedMs, fields] = JSON.parse(text);
  return { kind, guid, multiLocationId, externalId, fields, archived, modifiedMs };
}

export function readStateText(text: string): ObjectPlace & { readonly before: ObjectState | null } {
  const [collection, guid, before] = JSON.parse(text);
  return { collection, guid, before };
}

export function documentOf(contents: ObjectContents): DocumentObject {
  const untimed = { ...contents, modifiedMs: null };
  const isTip = contents.kind === 'tipWithholding';
  const document = isTip ? canonicalTipWithholding(untimed) : canonicalObject(untimed);
  return document as DocumentObject;
}

export function nameOfObject({ fields }: Pick<ObjectState, 'fields'>): string | null {
  return typeof fields.name === 'string' ? fields.name : null;
}

export function placeKey({ collection, guid }: ObjectPlace): string {
  return `${collection}/${guid}`;
}

export function placeOf({ kind, guid }: ObjectContents): ObjectPlace {
  return { collection: kind, guid };
}

export function isObjectKind(text: string): text is ObjectKind {
  return text === 'tipWithholding' || isCollectionName(text);
}

/** The order of the database. */
export function byPlace(one: ObjectPlace, other: ObjectPlace): number {
  return compare(one.collection, other.collection) || compare(one.guid, other.guid);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
