import type { Sql } from '../database/database.ts';
import type { ObjectContents } from './document/contents.ts';
import { type DraftRow, listDrafts } from './draft-store.ts';
import {
  contentsOf,
  digestOf,
  isSameState,
  type ObjectChange,
  type ObjectPlace,
  placeKey,
  placeOf,
  stateDigest,
} from './object-state.ts';
import { listSelectedObjects } from './write-store.ts';

/** Objects by collection and GUID. */
export type ObjectsByPlace = ReadonlyMap<string, ObjectContents>;

/** A restaurant's configuration as published, and the drafts that are looked at. */
export interface DraftedConfiguration {
  readonly published: ObjectsByPlace;
  /** The drafts that are meant: all, or those that were named. */
  readonly drafts: readonly DraftRow[];
}

/** Reads all drafts or those of the named objects, and which of these have none. */
export async function readNamedDrafts(
  sql: Sql,
  restaurantGuid: string,
  named: readonly ObjectPlace[] | null,
): Promise<Pick<DraftedConfiguration, 'drafts'> & { readonly missing: readonly ObjectPlace[] }> {
  const all = await listDrafts(sql, restaurantGuid);
  if (named === null) return { drafts: all, missing: [] };
  const wanted = new Map(named.map((place) => [placeKey(place), place]));
  const drafts = all.filter(({ object }) => wanted.delete(placeKey(placeOf(object))));
  return { drafts, missing: [...wanted.values()] };
}

/** Reads all drafts, and of what is published only what they are drafts of. */
export async function readDrafts(sql: Sql, restaurantGuid: string): Promise<DraftedConfiguration> {
  const drafts = await listDrafts(sql, restaurantGuid);
  const stored = await listSelectedObjects(sql, restaurantGuid, {
    collections: [...new Set(drafts.map(({ object }) => object.kind))],
    guids: drafts.map(({ object }) => object.guid),
  });
  return { published: byPlaceKey(stored.map(contentsOf)), drafts };
}

/** Objects by their places. */
export function byPlaceKey(objects: readonly ObjectContents[]): ObjectsByPlace {
  return new Map(objects.map((object) => [placeKey(placeOf(object)), object]));
}

/** Every object as it would be were the drafts published. */
export function overlaid({ published, drafts }: DraftedConfiguration): ObjectContents[] {
  const objects = new Map(published);
  for (const { object } of drafts) objects.set(placeKey(placeOf(object)), object);
  return [...objects.values()];
}

/** What publishing the drafts changes; a draft that says what is published changes nothing. */
export function draftedChanges(
  { published, drafts }: DraftedConfiguration,
  read: ObjectsByPlace,
): ObjectChange[] {
  return drafts.flatMap(({ object }) => {
    const key = placeKey(placeOf(object));
    const before = published.get(key) ?? null;
    const after = read.get(key) ?? object;
    return isSameState(before, after) ? [] : [{ before, after }];
  });
}

/** The digest of a published object that a draft of it is made from; null when there is none. */
export function baseDigestOf(published: ObjectContents | null | undefined): string | null {
  return published ? stateDigest(published) : null;
}

/** Whether the object was published in another form since its draft was begun. */
export function isOutdated(draft: DraftRow, published: ObjectContents | null | undefined): boolean {
  return draft.status.baseDigest !== baseDigestOf(published);
}

/** The objects whose drafts are outdated. */
export function outdatedPlaces({ published, drafts }: DraftedConfiguration): ObjectPlace[] {
  return drafts
    .filter((draft) => isOutdated(draft, published.get(placeKey(placeOf(draft.object)))))
    .map(({ object }) => placeOf(object));
}

/** Names what a preview looked at: another text once anything of it is another. */
export function draftState(publishNumber: number, drafts: readonly DraftRow[]): string {
  const revisions = drafts.map(({ status }) => status.revision);
  return digestOf(JSON.stringify(['drafts', publishNumber, revisions]));
}

/** Names the published configuration that a plan was made from. */
export function publishedState(restaurantGuid: string, publishNumber: number): string {
  return digestOf(JSON.stringify(['published', restaurantGuid, publishNumber]));
}
