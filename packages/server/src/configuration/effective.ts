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

export type ObjectsByPlace = ReadonlyMap<string, ObjectContents>;

export interface DraftedConfiguration {
  readonly published: ObjectsByPlace;
  readonly drafts: readonly DraftRow[];
}

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

export async function readDrafts(sql: Sql, restaurantGuid: string): Promise<DraftedConfiguration> {
  const drafts = await listDrafts(sql, restaurantGuid);
  const stored = await listSelectedObjects(sql, restaurantGuid, {
    collections: [...new Set(drafts.map(({ object }) => object.kind))],
    guids: drafts.map(({ object }) => object.guid),
  });
  return { published: byPlaceKey(stored.map(contentsOf)), drafts };
}

export function byPlaceKey(objects: readonly ObjectContents[]): ObjectsByPlace {
  return new Map(objects.map((object) => [placeKey(placeOf(object)), object]));
}

export function overlaid({ published, drafts }: DraftedConfiguration): ObjectContents[] {
  const objects = new Map(published);
  for (const { object } of drafts) objects.set(placeKey(placeOf(object)), object);
  return [...objects.values()];
}

/** A draft that equals the published object changes nothing. */
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

export function baseDigestOf(published: ObjectContents | null | undefined): string | null {
  return published ? stateDigest(published) : null;
}

/** Published differently since the draft began. */
export function isOutdated(draft: DraftRow, published: ObjectContents | null | undefined): boolean {
  return draft.status.baseDigest !== baseDigestOf(published);
}

export function outdatedPlaces({ published, drafts }: DraftedConfiguration): ObjectPlace[] {
  return drafts
    .filter((draft) => isOutdated(draft, published.get(placeKey(placeOf(draft.object)))))
    .map(({ object }) => placeOf(object));
}

/** Changes whenever anything that the preview looked at changes. */
export function draftState(publishNumber: number, drafts: readonly DraftRow[]): string {
  const revisions = drafts.map(({ status }) => status.revision);
  return digestOf(JSON.stringify(['drafts', publishNumber, revisions]));
}

export function publishedState(restaurantGuid: string, publishNumber: number): string {
  return digestOf(JSON.stringify(['published', restaurantGuid, publishNumber]));
}
