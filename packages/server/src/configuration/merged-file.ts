import { type CollectionName, collections } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { type DocumentFault, type DocumentPath, pathText } from '../document/faults.ts';
import { byCollection, documentConfiguration, faultKey } from './check-configuration.ts';
import type { ObjectChange, ObjectContents } from './document/contents.ts';
import type { DocumentConfiguration, DocumentObject } from './document/document.ts';
import type { ConfigurationFile } from './document/file-schema.ts';
import { deriveObjectGuid, tipWithholdingGuid } from './document/identity.ts';
import type { ObjectsByPlace } from './effective.ts';
import { isSameState, nameOfObject, placeKey } from './object-state.ts';

/**
 * Joins the document with the published objects that it doesn't name, so that rules and references
 * cover both. The document's objects come first in each list, so that their indexes stay those of
 * the document.
 */
export class MergedFile {
  readonly configuration: DocumentConfiguration;
  readonly givenGuids = new Map<string, string>();
  /** Archived because a complete document doesn't name them. */
  readonly archived: readonly ObjectChange[];
  readonly #published: ObjectsByPlace;
  readonly #own = new Map<string, readonly DocumentObject[]>();
  readonly #unnamed = new Map<string, readonly ObjectContents[]>();

  constructor(restaurantGuid: string, published: ObjectsByPlace, file: ConfigurationFile) {
    this.#published = published;
    const stored = byCollection(published.values());
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
    // An object that gets archived must not conflict with those that stay.
    const left = unnamed.map((object) => (isComplete ? { ...object, archived: true } : object));
    const others = documentConfiguration(byCollection(left));
    const lists = collections.map(({ name }) => [
      name,
      [...(this.#own.get(name) ?? []), ...(others[name] ?? [])],
    ]);
    const tipWithholding = tips.own ?? others.tipWithholding ?? null;
    this.configuration = { ...Object.fromEntries(lists), tipWithholding };
  }

  changesOf(objects: ObjectsByPlace): ObjectChange[] {
    const unnamed = [...this.#unnamed.values()].flat();
    const untouched = new Set(unnamed.map(placeKey));
    return [...objects].flatMap(([key, after]) => {
      const before = this.#published.get(key) ?? null;
      return untouched.has(key) || isSameState(before, after) ? [] : [{ before, after }];
    });
  }

  pathOf(path: DocumentPath): string {
    const [, collection, index, ...steps] = path;
    if (typeof index !== 'number' || !this.#unnamedAt(collection, index)) return pathText(path);
    const name = this.nameAt(String(collection), index);
    return steps.length === 0 ? name : `${name}.${pathText(steps)}`;
  }

  nameAt(collection: string, index: number): string {
    const object = this.#unnamedAt(collection, index);
    if (!object) return `${collection}[${index}]`;
    return `${collection}[${JSON.stringify(nameOfObject(object) ?? object.guid)}]`;
  }

  /** A fault of an object that the document doesn't name, which was there before. */
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

  #unnamedAt(collection: unknown, index: number): ObjectContents | undefined {
    const name = String(collection);
    return this.#unnamed.get(name)?.[index - (this.#own.get(name)?.length ?? 0)];
  }
}

/**
 * An object without a GUID means the published one whose GUID its key makes. Without a key it means
 * the only live one of its name, else the one whose GUID its name makes, else the only archived one
 * of its name.
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
      // Skips two objects with the same name: the document is at fault.
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

/** An object keeps its multiLocationId if the document gives none. */
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
