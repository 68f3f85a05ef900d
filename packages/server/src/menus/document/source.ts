import type { CollectionName, StoredFields } from '@servery/contract';

/** What the menus of a restaurant are made of (MENU-2). */
export interface MenuSource {
  readonly brand: string;
  readonly restaurantGuid: string;
  readonly timeZone: string;
  readonly objects: Iterable<SourceObject>;
}

/** A published object with all its fields, as `withAllFields` gives it. */
export interface SourceObject {
  readonly collection: string;
  readonly guid: string;
  readonly multiLocationId: string | null;
  readonly archived: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Published<Name extends CollectionName> {
  readonly guid: string;
  readonly multiLocationId: string | null;
  readonly fields: StoredFields<Name>;
}

const READ = [
  'itemTags',
  'menuGroups',
  'menuItems',
  'menuOptionGroups',
  'menus',
  'preModifierGroups',
  'preModifiers',
  'priceGroups',
  'salesCategories',
  'taxRates',
] as const;

/** Nothing else is in the document (MENU-2). */
export function isOfMenus(collection: string): boolean {
  return READ.some((name) => name === collection);
}

/** The live objects of each collection, by GUID. */
export type PublishedObjects = {
  readonly [Name in (typeof READ)[number]]: ReadonlyMap<string, Published<Name>>;
};

/** Archived objects are left out, so references to them lead nowhere (MENU-1). */
export function indexObjects(objects: Iterable<SourceObject>): PublishedObjects {
  const maps = new Map<string, Map<string, SourceObject>>(READ.map((name) => [name, new Map()]));
  for (const object of objects) {
    if (!object.archived) maps.get(object.collection)?.set(object.guid, object);
  }
  return Object.fromEntries(maps) as unknown as PublishedObjects;
}

/** The live ones of a list of references, each at its first place. */
export function named<Thing>(
  things: ReadonlyMap<string, Thing>,
  references: readonly string[],
): Thing[] {
  return [...new Set(references)].flatMap((guid) => things.get(guid) ?? []);
}

/** The order of code points. Comparing texts compares UTF-16 code units instead. */
export function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** For what has no place in a list. */
export function byGuid(one: { readonly guid: string }, other: { readonly guid: string }): number {
  return compareTexts(one.guid, other.guid);
}
