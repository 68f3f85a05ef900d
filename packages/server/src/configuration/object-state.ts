import { createHash } from 'node:crypto';
import { isCollectionName } from '@servery/contract';
import { canonicalObject, canonicalTipWithholding } from './document/canonical-object.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import type { DocumentObject } from './document/document.ts';
import type { StoredObject } from './write-store.ts';

/** What drafts, publications and published objects have in common: all of an object's content. */
export type ObjectState = Pick<
  ObjectContents,
  'multiLocationId' | 'externalId' | 'archived' | 'fields'
>;

/** Names an object of a restaurant. */
export interface ObjectPlace {
  readonly collection: ObjectKind;
  readonly guid: string;
}

/** One object before and after; `before` is null for one that was not there. */
export interface ObjectChange {
  readonly before: ObjectContents | null;
  readonly after: ObjectContents;
}

/** The content of an object and nothing else of it, always in one order. */
export function stateOf({
  multiLocationId,
  externalId,
  archived,
  fields,
}: ObjectState): ObjectState {
  return { multiLocationId, externalId, archived, fields };
}

/** The content of an object in one text that is the same for the same content. */
export function stateText(state: ObjectState): string {
  return JSON.stringify(stateOf(state));
}

/** Whether two objects say the same; null is an object that is not there. */
export function isSameState(one: ObjectState | null, other: ObjectState | null): boolean {
  if (one === null || other === null) return one === other;
  return stateText(one) === stateText(other);
}

/** A short text that is another one for another content. */
export function stateDigest(state: ObjectState): string {
  return digestOf(stateText(state));
}

/** A short text that is another one for another text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A stored object as it is read from documents. */
export function contentsOf({ collection, modifiedAt, ...object }: StoredObject): ObjectContents {
  return { ...object, kind: collection as ObjectKind, modifiedMs: modifiedAt.getTime() };
}

/** An object from the text that `listObjectTexts` gives. */
export function readObjectText(text: string): ObjectContents {
  const [kind, guid, multiLocationId, externalId, archived, modifiedMs, fields] = JSON.parse(text);
  return { kind, guid, multiLocationId, externalId, fields, archived, modifiedMs };
}

/** How an object was, from the text that `listStatesAt` gives. */
export function readStateText(text: string): ObjectPlace & { readonly before: ObjectState | null } {
  const [collection, guid, before] = JSON.parse(text);
  return { collection, guid, before };
}

/** An object as a configuration document writes it, without its time of change. */
export function documentOf(contents: ObjectContents): DocumentObject {
  const untimed = { ...contents, modifiedMs: null };
  const isTip = contents.kind === 'tipWithholding';
  const document = isTip ? canonicalTipWithholding(untimed) : canonicalObject(untimed);
  return document as DocumentObject;
}

/** What an object is called; null for kinds without a name. */
export function nameOfObject({ fields }: Pick<ObjectState, 'fields'>): string | null {
  return typeof fields.name === 'string' ? fields.name : null;
}

/** Names an object within its restaurant. */
export function placeKey({ collection, guid }: ObjectPlace): string {
  return `${collection}/${guid}`;
}

/** The place of an object. */
export function placeOf({ kind, guid }: ObjectContents): ObjectPlace {
  return { collection: kind, guid };
}

/** Whether the text names one of the 23 collections or the tip withholding. */
export function isObjectKind(text: string): text is ObjectKind {
  return text === 'tipWithholding' || isCollectionName(text);
}

/** Objects by collection, then by GUID: the order of the database. */
export function byPlace(one: ObjectPlace, other: ObjectPlace): number {
  return compare(one.collection, other.collection) || compare(one.guid, other.guid);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
