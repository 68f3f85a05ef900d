import { type CollectionName, type ConfigurationFault, collections } from '@servery/contract';
import { type DocumentFault, FaultList, Place, pathText } from '../document/faults.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import type { DocumentConfiguration } from './document/document.ts';
import { readObjects } from './document/read-objects.ts';
import { type DraftedConfiguration, type ObjectsByPlace, overlaid } from './effective.ts';
import { byPlaceKey, documentOf, isObjectKind, nameOfObject } from './object-state.ts';
import type { RestaurantHead } from './publication-store.ts';

export interface CheckedConfiguration {
  readonly objects: ObjectsByPlace;
  readonly faults: readonly ConfigurationFault[];
  readonly faultCount: number;
}

export type PricedRestaurant = Pick<RestaurantHead, 'guid' | 'currencyCode'>;

const SHOWN_FAULTS = 50;

function checkConfiguration(
  { guid: restaurantGuid, currencyCode }: PricedRestaurant,
  all: ObjectsByPlace,
): CheckedConfiguration {
  const lists = byCollection(all.values());
  const faults = new FaultList();
  const objectAt = (collection: string, index: number) =>
    lists.get(collection as CollectionName)?.[index];
  const read = readObjects(documentConfiguration(lists), {
    restaurantGuid,
    currencyCode,
    place: new Place(faults, []),
    taken: new Set(),
    isSound: () => true,
    nameObject: (collection, index) => {
      const object = objectAt(collection, index);
      return `${collection}[${JSON.stringify(object && (nameOfObject(object) ?? object.guid))}]`;
    },
  });
  const archivedTips = lists.get('tipWithholding')?.filter(({ archived }) => archived) ?? [];
  return {
    objects: byPlaceKey([...read.objects, ...archivedTips]),
    faults: faults.kept.map((fault) => located(fault, objectAt)),
    faultCount: faults.count,
  };
}

/** Ignores faults that were there before: a rule can be newer than the data that breaks it. */
export function checkDrafted(
  restaurant: PricedRestaurant,
  drafted: DraftedConfiguration,
): CheckedConfiguration {
  const checked = checkConfiguration(restaurant, overlaid(drafted));
  if (checked.faultCount === 0) return checked;
  const known = knownFaults(restaurant, drafted.published);
  const { found, count } = newFaults(checked.faults, checked.faultCount, (fault) =>
    known.has(faultKey(fault)),
  );
  return { ...checked, faults: found.slice(0, SHOWN_FAULTS), faultCount: count };
}

/**
 * `kept` are the noted faults of `count`. Faults that were not noted count as new, because nobody
 * can tell.
 */
export function newFaults<Fault>(
  kept: readonly Fault[],
  count: number,
  isKnown: (fault: Fault) => boolean,
): { readonly found: readonly Fault[]; readonly count: number } {
  const found = kept.filter((fault) => !isKnown(fault));
  if (count === kept.length) return { found, count: found.length };
  return { found: found.length > 0 ? found : kept, count: found.length + count - kept.length };
}

export function knownFaults(
  restaurant: PricedRestaurant,
  published: ObjectsByPlace,
): ReadonlySet<string> {
  const { faults } = checkConfiguration(restaurant, published);
  return new Set(faults.map(faultKey));
}

export function faultKey({
  collection,
  guid,
  field,
  message,
}: Pick<ConfigurationFault, 'collection' | 'guid' | 'field' | 'message'>): string {
  return JSON.stringify([collection, guid, field, message]);
}

type Lists = ReadonlyMap<ObjectKind, readonly ObjectContents[]>;

export function byCollection(objects: Iterable<ObjectContents>): Lists {
  return Map.groupBy(objects, ({ collection }) => collection);
}

export function documentConfiguration(lists: Lists): DocumentConfiguration {
  const tip = lists.get('tipWithholding')?.find(({ archived }) => !archived);
  const entries = collections.map(({ name }) => [name, (lists.get(name) ?? []).map(documentOf)]);
  return { ...Object.fromEntries(entries), tipWithholding: tip ? documentOf(tip) : null };
}

function located(
  { path, message }: DocumentFault,
  objectAt: (collection: string, index: number) => ObjectContents | undefined,
): ConfigurationFault {
  const [collection = '', index, ...rest] = path;
  if (typeof index !== 'number' || !isObjectKind(String(collection))) {
    const field = pathText(path.slice(1));
    return { collection: String(collection), guid: null, name: null, field, message };
  }
  const object = objectAt(String(collection), index);
  return {
    collection: String(collection),
    guid: object?.guid ?? null,
    name: object ? nameOfObject(object) : null,
    field: pathText(rest),
    message,
  };
}
