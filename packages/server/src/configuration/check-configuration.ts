import { type CollectionName, type ConfigurationFault, collections } from '@servery/contract';
import { type DocumentFault, FaultList, Place, pathText } from '../document/faults.ts';
import type { ObjectContents } from './document/contents.ts';
import type { DocumentConfiguration } from './document/document.ts';
import { readObjects } from './document/read-objects.ts';
import {
  byPlaceKey,
  type DraftedConfiguration,
  type ObjectsByPlace,
  overlaid,
} from './effective.ts';
import { documentOf, isObjectKind, nameOfObject } from './object-state.ts';

/** A configuration that was read by the rules, and what breaks them; not every fault is listed. */
export interface CheckedConfiguration {
  readonly objects: ObjectsByPlace;
  readonly faults: readonly ConfigurationFault[];
  readonly faultCount: number;
}

/** How many faults are told; of the others only the number is. */
const SHOWN_FAULTS = 50;

/**
 * Holds the whole configuration of a restaurant to the rules of configuration documents: references
 * lead somewhere and not in a circle, fields go together, nothing has another's identity.
 */
function checkConfiguration(
  restaurantGuid: string,
  objects: readonly ObjectContents[],
): CheckedConfiguration {
  const lists = listsOf(objects);
  const faults = new FaultList();
  const objectAt = (collection: string, index: number) =>
    lists.get(collection as CollectionName)?.[index];
  const read = readObjects(documentConfiguration(lists), {
    restaurantGuid,
    place: new Place(faults, []),
    taken: new Set(),
    isSound: () => true,
    nameObject: (collection, index) => {
      const object = objectAt(collection, index);
      return `${collection}[${JSON.stringify(object && (nameOfObject(object) ?? object.guid))}]`;
    },
  });
  const archivedTips = objects.filter(
    ({ kind, archived }) => kind === 'tipWithholding' && archived,
  );
  return {
    objects: byPlaceKey([...read.objects, ...archivedTips]),
    faults: faults.kept.map((fault) => located(fault, objectAt)),
    faultCount: faults.count,
  };
}

/**
 * Holds the drafts of a restaurant to the rules, together with everything else that is published.
 * A fault that was there before, because a rule is younger than what breaks it, hinders nobody.
 */
export function checkDrafted(
  restaurantGuid: string,
  drafted: DraftedConfiguration,
): CheckedConfiguration {
  const checked = checkConfiguration(restaurantGuid, overlaid(drafted));
  if (checked.faultCount === 0) return checked;
  const known = knownFaults(restaurantGuid, drafted.published);
  const { found, count } = newFaults(checked.faults, checked.faultCount, (fault) =>
    known.has(faultKey(fault)),
  );
  return { ...checked, faults: found.slice(0, SHOWN_FAULTS), faultCount: count };
}

/**
 * The faults that were not there before, with their number; `kept` are those of `count` that were
 * noted. What was not noted counts as new, because nobody can know: then it is told with the rest.
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

/** The faults of what is published, as `faultKey` names them. */
export function knownFaults(
  restaurantGuid: string,
  published: ObjectsByPlace,
): ReadonlySet<string> {
  const { faults } = checkConfiguration(restaurantGuid, [...published.values()]);
  return new Set(faults.map(faultKey));
}

/** Names a fault of an object. */
export function faultKey({
  collection,
  guid,
  field,
  message,
}: Pick<ConfigurationFault, 'collection' | 'guid' | 'field' | 'message'>): string {
  return JSON.stringify([collection, guid, field, message]);
}

type Lists = ReadonlyMap<ObjectContents['kind'], readonly ObjectContents[]>;

function listsOf(objects: readonly ObjectContents[]): Lists {
  return Map.groupBy(objects, ({ kind }) => kind);
}

/** Objects as a document writes them, in the order of the lists. */
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
