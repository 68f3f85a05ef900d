import { type CollectionName, collections } from '@servery/contract';
import { ApiError, type Fault } from '../http/errors.ts';
import { parseGuid } from '../support/ids.ts';
import { documentConfiguration } from './check-configuration.ts';
import {
  type ConfigurationFile,
  configurationDocumentSchema,
} from './document/configuration-document.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import type { DocumentConfiguration, DocumentObject } from './document/document.ts';
import { type DocumentPath, FaultList, Place, pathText } from './document/faults.ts';
import { deriveObjectGuid, tipWithholdingGuid } from './document/identity.ts';
import { readObjects } from './document/read-objects.ts';
import { shapeChecker } from './document/shape.ts';
import { checkTexts } from './document/text-check.ts';
import { byPlaceKey, type ObjectsByPlace } from './effective.ts';
import { isSameState, nameOfObject, type ObjectChange, placeKey, placeOf } from './object-state.ts';
import type { RestaurantHead } from './publication-store.ts';

/** What a document makes of a restaurant's configuration. */
export interface ReadFile {
  /** What differs from what is published, by collection and GUID. */
  readonly changes: readonly ObjectChange[];
  /** The objects of the document that are new and say their GUID themselves, each with its place. */
  readonly givenGuids: ReadonlyMap<string, string>;
}

const checkShape = shapeChecker(configurationDocumentSchema);

/** How many faults are told; of the others only the number is. */
const SHOWN_FAULTS = 50;

/**
 * Reads a configuration document against what is published: gives what applying it changes. Throws
 * ApiError `unprocessable` with every fault, each with its path in the document.
 */
export function readFile(
  restaurant: RestaurantHead,
  published: ObjectsByPlace,
  value: unknown,
): ReadFile {
  const faults = new FaultList();
  checkTexts(value, faults);
  refuse(faults);
  const broken = checkShape(value, faults);
  if (!broken.isSound([])) {
    // Rules need at least lists of objects, which a broken shape does not promise.
    refuse(faults);
  }
  const file = value as ConfigurationFile;
  refuseOtherRestaurant(restaurant, file, faults);
  const merging = mergeFile(restaurant.guid, published, file);
  const read = readObjects(merging.configuration, {
    restaurantGuid: restaurant.guid,
    place: new Place(faults, ['configuration']),
    taken: new Set(),
    isSound: () => true,
    nameObject: (collection, index) => merging.nameAt([collection, index]),
  });
  refuse(faults, merging);
  const objects = byPlaceKey(read.objects);
  return {
    changes: [...merging.named(objects), ...merging.archived],
    givenGuids: merging.givenGuids,
  };
}

function refuseOtherRestaurant(
  { guid, name }: RestaurantHead,
  { restaurant }: ConfigurationFile,
  faults: FaultList,
): void {
  const given = restaurant?.guid;
  if (given === undefined || parseGuid(given) === guid) return;
  const message = `is not ${guid}, "${name}"; leave restaurant out to apply the document anywhere`;
  faults.add(['restaurant', 'guid'], message);
}

function refuse(faults: FaultList, merging?: MergedFile): void {
  if (faults.count === 0) return;
  const told: Fault[] = faults.kept.slice(0, SHOWN_FAULTS).map(({ path, message }) => ({
    where: merging ? merging.pathOf(path) : pathText(path),
    message,
  }));
  const shown = told
    .slice(0, 3)
    .map(({ where, message }) => `${where || 'the document'}: ${message}`);
  const rest = faults.count > shown.length ? `; and ${faults.count - shown.length} more` : '';
  throw new ApiError(
    'unprocessable',
    `The document cannot be applied: ${shown.join('; ')}${rest}.`,
    {
      faults: told,
    },
  );
}

/** A document together with the published objects that it does not name. */
interface MergedFile {
  readonly configuration: DocumentConfiguration;
  readonly givenGuids: ReadonlyMap<string, string>;
  /** What goes because a complete document does not name it. */
  readonly archived: readonly ObjectChange[];
  /** What the document's own objects change, from all that was read. */
  named(objects: ObjectsByPlace): ObjectChange[];
  /** A path in the merged configuration, for people: in the document, or the name of an object. */
  pathOf(path: DocumentPath): string;
  nameAt(path: readonly [collection: CollectionName, index: number]): string;
}

function mergeFile(
  restaurantGuid: string,
  published: ObjectsByPlace,
  file: ConfigurationFile,
): MergedFile {
  const byKind = Map.groupBy(published.values(), ({ kind }) => kind);
  const isComplete = file.complete === true;
  const own = new Map<CollectionName, readonly DocumentObject[]>();
  const rest = new Map<ObjectKind, ObjectContents[]>();
  const givenGuids = new Map<string, string>();
  for (const { name } of collections) {
    const stored = byKind.get(name) ?? [];
    const objects = identified(restaurantGuid, name, file.configuration[name] ?? [], stored);
    own.set(name, objects);
    const known = new Set(stored.map(({ guid }) => guid));
    const guids = new Set(objects.map(({ guid }) => String(guid).toLowerCase()));
    objects.forEach(({ guid }, index) => {
      const given = guid === undefined ? null : parseGuid(guid);
      if (given !== null && !known.has(given)) {
        givenGuids.set(given, `configuration.${name}[${index}].guid`);
      }
    });
    rest.set(
      name,
      stored.filter(({ guid }) => !guids.has(guid)),
    );
  }
  const tips = mergeTips(restaurantGuid, byKind.get('tipWithholding') ?? [], file);
  rest.set('tipWithholding', tips.rest);
  const unnamed = [...rest.values()].flat();
  const archived = isComplete ? unnamed.filter((object) => !object.archived) : [];
  // What goes must not stand in the way of what stays: references to it are those to archived ones.
  const left = Map.groupBy(
    unnamed.map((object) => (isComplete ? { ...object, archived: true } : object)),
    ({ kind }) => kind,
  );
  const others = documentConfiguration(left);
  const lists = collections.map(({ name }) => [
    name,
    [...(own.get(name) ?? []), ...(others[name] ?? [])],
  ]);
  const tipWithholding = tips.own ?? others.tipWithholding ?? null;
  const ownCount = (collection: unknown) => own.get(collection as CollectionName)?.length ?? 0;
  const nameAt = (collection: CollectionName, index: number) => {
    if (index < ownCount(collection)) return `${collection}[${index}]`;
    const object = left.get(collection)?.[index - ownCount(collection)];
    return `${collection}[${JSON.stringify(object && (nameOfObject(object) ?? object.guid))}]`;
  };
  return {
    configuration: { ...Object.fromEntries(lists), tipWithholding },
    givenGuids,
    archived: archived.map((before) => ({ before, after: { ...before, archived: true } })),
    named: (objects) => {
      const untouched = new Set(unnamed.map((object) => placeKey(placeOf(object))));
      return [...objects].flatMap(([key, after]) => {
        const before = published.get(key) ?? null;
        return untouched.has(key) || isSameState(before, after) ? [] : [{ before, after }];
      });
    },
    pathOf: (path) => {
      const [, collection, index, ...steps] = path;
      if (typeof index !== 'number' || index < ownCount(collection)) return pathText(path);
      const name = nameAt(collection as CollectionName, index);
      return steps.length === 0 ? name : `${name}.${pathText(steps)}`;
    },
    nameAt: ([collection, index]) => nameAt(collection, index),
  };
}

/**
 * The objects of a document with the GUIDs of the published ones that they mean. One that gives no
 * GUID means the one whose GUID its key or name makes, or else the only one of its name.
 */
function identified(
  restaurantGuid: string,
  collection: CollectionName,
  objects: readonly DocumentObject[],
  stored: readonly ObjectContents[],
): DocumentObject[] {
  const byGuid = new Map(stored.map((object) => [object.guid, object]));
  const claimed = new Set(objects.map(({ guid }) => guid?.toLowerCase()));
  const free = stored.filter(({ guid }) => !claimed.has(guid));
  const byName = Map.groupBy(free, nameOfObject);
  return objects.map((object) => {
    const name = typeof object.name === 'string' ? object.name : undefined;
    const key = object.key ?? name;
    const derived =
      key === undefined ? undefined : deriveObjectGuid(restaurantGuid, collection, key);
    const guid =
      object.guid?.toLowerCase() ??
      (derived !== undefined && byGuid.has(derived) ? derived : undefined) ??
      (object.key === undefined ? onlyOne(byName.get(name ?? null)) : undefined);
    const known = guid === undefined ? undefined : byGuid.get(guid);
    const isItem = collection === 'menuItems' && known && object.multiLocationId === undefined;
    // The time of a change is when it is applied.
    const { modifiedDate: _modifiedDate, ...content } = object;
    return {
      ...content,
      ...(guid === undefined ? {} : { guid }),
      ...(isItem && known.multiLocationId !== null
        ? { multiLocationId: known.multiLocationId }
        : {}),
    };
  });
}

/** The live one of a name before the archived ones; none where several could be meant. */
function onlyOne(objects: readonly ObjectContents[] | undefined): string | undefined {
  const live = objects?.filter(({ archived }) => !archived) ?? [];
  const meant = live.length > 0 ? live : (objects ?? []);
  return meant.length === 1 && meant[0] && nameOfObject(meant[0]) !== null
    ? meant[0].guid
    : undefined;
}

function mergeTips(
  restaurantGuid: string,
  stored: readonly ObjectContents[],
  { configuration }: ConfigurationFile,
): { readonly own: DocumentObject | null; readonly rest: ObjectContents[] } {
  const given = configuration.tipWithholding ?? null;
  if (!given) return { own: null, rest: [...stored] };
  const live = stored.find(({ archived }) => !archived) ?? stored[0];
  const guid = given.guid ?? live?.guid ?? tipWithholdingGuid(restaurantGuid);
  const rest = stored.filter((object) => object.guid !== guid.toLowerCase());
  const { modifiedDate: _modifiedDate, ...content } = given;
  return { own: { ...content, guid }, rest };
}
