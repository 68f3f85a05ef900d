import type { Sql } from '../database/database.ts';
import type { ObjectChange, ObjectContents, ObjectPlace } from './document/contents.ts';
import { fieldsWithoutDefaults } from './document/stored-object.ts';
import { type DraftRow, listDrafts } from './draft-store.ts';
import { byPlaceKey, digestOf, isSameState, placeKey, placeOf, stateText } from './object-state.ts';

export type ObjectsByPlace = ReadonlyMap<string, ObjectContents>;

export interface DraftedConfiguration {
  readonly published: ObjectsByPlace;
  readonly drafts: readonly DraftRow[];
}

/** All drafts for null. `missing` are the named ones that aren't there. */
export async function readNamedDrafts(
  sql: Sql,
  restaurantGuid: string,
  named: readonly ObjectPlace[] | null,
): Promise<{ readonly drafts: readonly DraftRow[]; readonly missing: readonly ObjectPlace[] }> {
  const all = await listDrafts(sql, restaurantGuid);
  if (named === null) return { drafts: all, missing: [] };
  const wanted = new Map(byPlaceKey(named));
  const drafts = all.filter((draft) => wanted.delete(placeKey(draft)));
  return { drafts, missing: [...wanted.values()] };
}

export function overlaid({ published, drafts }: DraftedConfiguration): ObjectsByPlace {
  return new Map([...published, ...byPlaceKey(drafts)]);
}

/** A draft that equals the published object changes nothing. */
export function draftedChanges(
  { published, drafts }: DraftedConfiguration,
  read: ObjectsByPlace,
): ObjectChange[] {
  return drafts.flatMap((draft) => {
    const key = placeKey(draft);
    const before = published.get(key) ?? null;
    const after = read.get(key) ?? draft;
    return isSameState(before, after) ? [] : [{ before, after }];
  });
}

/** All objects as they would be published. `read` are the ones that were read without faults. */
export function withDrafts(drafted: DraftedConfiguration, read: ObjectsByPlace): ObjectsByPlace {
  const changed = draftedChanges(drafted, read).map(({ after }) => after);
  return new Map([...overlaid(drafted), ...byPlaceKey(changed)]);
}

/** A new field of the contract must not make all drafts outdated. */
export function baseDigestOf(published: ObjectContents | null): string | null {
  if (published === null) return null;
  return digestOf(stateText({ ...published, fields: fieldsWithoutDefaults(published) }));
}

/** Published differently since the draft began. */
export function isOutdated(draft: DraftRow, published: ObjectContents | null): boolean {
  return draft.baseDigest !== baseDigestOf(published);
}

export function outdatedPlaces({ published, drafts }: DraftedConfiguration): ObjectPlace[] {
  return drafts
    .filter((draft) => isOutdated(draft, published.get(placeKey(draft)) ?? null))
    .map(placeOf);
}

/** Changes whenever anything that the preview looked at changes. */
export function draftState(publishNumber: number, drafts: readonly DraftRow[]): string {
  const revisions = drafts.map(({ revision }) => revision);
  return digestOf(JSON.stringify(['drafts', publishNumber, revisions]));
}

export function publishedState(restaurantGuid: string, publishNumber: number): string {
  return digestOf(JSON.stringify(['published', restaurantGuid, publishNumber]));
}
