import { type CollectionName, collections } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { type DocumentFault, type DocumentPath, pathText } from '../document/faults.ts';
import { documentConfiguration, faultKey } from './check-configuration.ts';
import type { ObjectContents } from './document/contents.ts';
import type { DocumentConfiguration, DocumentObject } from './document/document.ts';
import type { ConfigurationFile } from './document/file-schema.ts';
import { deriveObjectGuid, tipWithholdingGuid } from './document/identity.ts';
import type { ObjectsByPlace } from './effective.ts';
import { isSameState, nameOfObject, type ObjectChange, placeKey, placeOf } from './object-state.ts';

/**
 * A configuration document together with the published objects that it does not name, so that the
 * rules can be held to all of them, and references can lead from one to the other. In each list
 * the document's own objects come first, so that their indexes are those of the document.
 */
export class MergedFile {
  readonly configuration: DocumentConfiguration;
  /** The GUIDs that new objects of the document say themselves, each with its place. */
  readonly givenGuids = new Map<string, string>();
  /** What goes because a complete document does not name it. */
  readonly archived: readonly ObjectChange[];
  readonly #published: ObjectsByPlace;
  readonly #own = new Map<string, readonly DocumentObject[]>();
  readonly #unnamed = new Map<string, readonly ObjectContents[]>();

  constructor(restaurantGuid: string, published: ObjectsByPlace, file: ConfigurationFile) {
    this.#published = published;
    const stored = Map.groupBy(published.values(), ({ kind }) => kind);
    for (const { name } of collections) {
      const objects = file.configuration[name] ?? [];
      this.#split(restaurantGuid, name, objects, stored.get(name) ?? []);
    }
    const tips = mergeTips(restaurantGuid, stored.get('tipWithholding') ?? [], file);
    this.#unnamed.set('tipWithholding', tips.unnamed);
    const unnamed = [...this.#unnamed.values()].flat();
    const isComplete = file.complete === true;
    this.archived = unnamed
      .filter(({ archived }) => isComplete && !archived)
      .map((before) => ({ before, after: { ...before, archived: true } }));
    // What goes must not stand in the way of what stays.
    const left = unnamed.map((object) => (isComplete ? { ...object, archived: true } : object));
    const others = documentConfiguration(Map.groupBy(left, ({ kind }) => kind));
    const lists = collections.map(({ name }) => [
      name,
      [...(this.#own.get(name) ?? []), ...(others[name] ?? [])],
    ]);
    const tipWithholding = tips.own ?? others.tipWithholding ?? null;
    this.configuration = { ...Object.fromEntries(lists), tipWithholding };
  }

  /** What the document's own objects change, from all that was read. */
  changesOf(objects: ObjectsByPlace): ObjectChange[] {
    const unnamed = [...this.#unnamed.values()].flat();
    const untouched = new Set(unnamed.map((object) => placeKey(placeOf(object))));
    return [...objects].flatMap(([key, after]) => {
      const before = this.#published.get(key) ?? null;
      return untouched.has(key) || isSameState(before, after) ? [] : [{ before, after }];
    });
  }

  /** A path in the merged configuration, for people: in the document, or the name of an object. */
  pathOf(path: DocumentPath): string {
    const [, collection, index, ...steps] = path;
    if (typeof index !== 'number' || !this.#unnamedAt(collection, index)) return pathText(path);
    const name = this.nameAt(String(collection), index);
    return steps.length === 0 ? name : `${name}.${pathText(steps)}`;
  }

  /** How messages name an object: by its index in the document, or by its name. */
  nameAt(collection: string, index: number): string {
    const object = this.#unnamedAt(collection, index);
    if (!object) return `${collection}[${index}]`;
    return `${collection}[${JSON.stringify(nameOfObject(object) ?? object.guid)}]`;
  }

  /** Whether a fault is of an object that the document does not name, and was there before. */
  isKnown({ path, message }: DocumentFault, known: ReadonlySet<string>): boolean {
    const [, collection, index, ...steps] = path;
    const object = typeof index === 'number' ? this.#unnamedAt(collection, index) : undefined;
    if (!object) return false;
    const place = { collection: String(collection), guid: object.guid };
    return known.has(faultKey({ ...place, field: pathText(steps), message }));
  }

  #split(
    restaurantGuid: string,
    name: CollectionName,
    objects: readonly DocumentObject[],
    stored: readonly ObjectContents[],
  ): void {
    const own = identified(restaurantGuid, name, objects, stored);
    const guids = new Set(own.map(({ guid }) => guid));
    const known = new Set(stored.map(({ guid }) => guid));
    own.forEach(({ guid }, index) => {
      const given = guid === undefined ? null : parseGuid(guid);
      if (given === null || known.has(given)) return;
      this.givenGuids.set(given, `configuration.${name}[${index}].guid`);
    });
    this.#own.set(name, own);
    this.#unnamed.set(
      name,
      stored.filter(({ guid }) => !guids.has(guid)),
    );
  }

  /** The published object at an index of a merged list; undefined for the document's own. */
  #unnamedAt(collection: unknown, index: number): ObjectContents | undefined {
    const name = String(collection);
    return this.#unnamed.get(name)?.[index - (this.#own.get(name)?.length ?? 0)];
  }
}

/**
 * The objects of a document with the GUIDs of the published ones that they mean. One that gives no
 * GUID means the one whose GUID its key makes; without a key the only live one of its name, or else
 * the one whose GUID its name makes, or else the only archived one of its name.
 */
function identified(
  restaurantGuid: string,
  collection: CollectionName,
  objects: readonly DocumentObject[],
  stored: readonly ObjectContents[],
): DocumentObject[] {
  const known = new Map(stored.map((object) => [object.guid, object]));
  const guids = objects.map(({ guid }) => guid?.toLowerCase());
  const taken = new Set(guids);
  const callings = objects.map(({ key, name }) => key ?? name);
  const claim = (find: (object: DocumentObject, calling: string) => string | undefined) => {
    objects.forEach((object, index) => {
      const calling = callings[index];
      // Of two that are called the same neither is found: that is a fault of the document.
      if (guids[index] !== undefined || calling === undefined || isRepeated(calling)) return;
      const guid = find(object, calling);
      if (guid === undefined || taken.has(guid)) return;
      guids[index] = guid;
      taken.add(guid);
    });
  };
  const counts = Map.groupBy(callings, (calling) => calling);
  const isRepeated = (calling: string) => (counts.get(calling)?.length ?? 0) > 1;
  const named = (archived: boolean) => {
    const candidates = stored.filter((object) => object.archived === archived);
    const byName = Map.groupBy(candidates, nameOfObject);
    return ({ key }: DocumentObject, name: string) => {
      const [only, ...others] = (key === undefined && byName.get(name)) || [];
      return others.length === 0 ? only?.guid : undefined;
    };
  };
  claim(named(false));
  claim((_object, calling) => {
    const guid = deriveObjectGuid(restaurantGuid, collection, calling);
    return known.has(guid) ? guid : undefined;
  });
  claim(named(true));
  return objects.map((object, index) => withIdentity(object, known, guids[index]));
}

/** An item keeps the multiLocationId that it has where the document gives none. */
function withIdentity(
  { modifiedDate: _modifiedDate, ...object }: DocumentObject,
  known: ReadonlyMap<string, ObjectContents>,
  guid: string | undefined,
): DocumentObject {
  if (guid === undefined) return object;
  const multiLocationId = object.multiLocationId ?? known.get(guid)?.multiLocationId ?? undefined;
  return { ...object, guid, ...(multiLocationId === undefined ? {} : { multiLocationId }) };
}

function mergeTips(
  restaurantGuid: string,
  stored: readonly ObjectContents[],
  { configuration }: ConfigurationFile,
): { readonly own: DocumentObject | null; readonly unnamed: readonly ObjectContents[] } {
  const given = configuration.tipWithholding ?? null;
  if (!given) return { own: null, unnamed: stored };
  const live = stored.find(({ archived }) => !archived) ?? stored[0];
  const guid = given.guid ?? live?.guid ?? tipWithholdingGuid(restaurantGuid);
  const unnamed = stored.filter((object) => object.guid !== guid.toLowerCase());
  const { modifiedDate: _modifiedDate, ...content } = given;
  return { own: { ...content, guid }, unnamed };
}
