import { type CollectionName, collections, type ReferenceField } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import type { DocumentPath, Place } from '../../document/faults.ts';
import { type Arrange, storedForm } from '../../http/pipeline/arrange.ts';
import { instantOf } from '../../text/instant.ts';
import { withDeprecatedFields } from './channels.ts';
import type { ObjectContents, ObjectKind } from './contents.ts';
import { Directory, nameOf } from './directory.ts';
import type { DocumentConfiguration, DocumentObject } from './document.ts';
import {
  deriveMultiLocationId,
  deriveObjectGuid,
  hasMultiLocationId,
  tipWithholdingGuid,
} from './identity.ts';
import { MenuTree, type NameObject } from './menu-tree.ts';
import { referencePaths, replacedAt } from './reference-paths.ts';
import { Money } from './rules/amount.ts';
import { checkCollection, checkObject } from './rules/collection.ts';
import type { LiveObjects } from './rules/live-objects.ts';
import { checkMenus } from './rules/menus.ts';
import { storedFields } from './schema.ts';

export interface ObjectsContext {
  readonly restaurantGuid: string;
  readonly place: Place;
  readonly taken: Set<string>;
  /** Rules may rely on a value only when its shape is right. */
  readonly isSound: (place: Place) => boolean;
  readonly nameObject?: NameObject;
  /** Decides how many decimals prices have. */
  readonly currencyCode: string;
}

export interface ReadObjects {
  readonly objects: readonly ObjectContents[];
  readonly menuItems: Directory;
}

export type Directories = Readonly<Record<CollectionName, Directory>>;

const fieldArrangers = new Map<ObjectKind, readonly (readonly [string, Arrange])[]>(
  [...collections.map(({ name }) => name), 'tipWithholding' as const].map((kind) => [
    kind,
    Object.entries(storedFields(kind)).map(([field, schema]) => [
      field,
      storedForm(schema).arrange,
    ]),
  ]),
);

export function readObjects(
  configuration: DocumentConfiguration,
  context: ObjectsContext,
): ReadObjects {
  const lists = Object.fromEntries(
    collections.map(({ name }) => [name, listOf(configuration[name])]),
  ) as Record<CollectionName, readonly DocumentObject[]>;
  const directories = Object.fromEntries(
    collections.map(({ name }) => [name, directoryOf(name, lists[name], context)]),
  ) as Record<CollectionName, Directory>;
  const menus = { objects: lists.menus, directory: directories.menus };
  const groups = { objects: lists.menuGroups, directory: directories.menuGroups };
  const tree = new MenuTree(menus, groups, context.nameObject);
  tree.check(context.place.at('menus'), context.place.at('menuGroups'));
  const money = new Money(context.currencyCode);
  const read = collections.map(({ name }) => {
    const objects = readCollection(name, lists[name], { directories, tree, context, money });
    return [name, objects] as const;
  });
  checkMenus(liveObjects(read));
  const objects = read.flatMap(([, placed]) => placed.map(({ contents }) => contents));
  const { tipWithholding } = configuration;
  if (tipWithholding) objects.push(readTipWithholding(tipWithholding, context));
  checkMultiLocationIds(objects, directories, context.place);
  return { objects, menuItems: directories.menuItems };
}

interface PlacedContents {
  readonly contents: ObjectContents;
  readonly place: Place;
}

function liveObjects(
  read: readonly (readonly [CollectionName, readonly PlacedContents[]])[],
): LiveObjects {
  const entries = read.map(([name, objects]) => {
    const live = objects.filter(({ contents }) => !contents.archived);
    const placed = live.map(({ contents: { guid, fields }, place }) => {
      return [guid, { fields, place }] as const;
    });
    return [name, new Map(placed)];
  });
  return Object.fromEntries(entries);
}

function listOf(value: unknown): readonly DocumentObject[] {
  return Array.isArray(value) ? value : [];
}

function directoryOf(
  name: CollectionName,
  objects: readonly DocumentObject[],
  { restaurantGuid, place, taken }: ObjectsContext,
): Directory {
  const deriveGuid = (key: string) => deriveObjectGuid(restaurantGuid, name, key);
  return new Directory(objects, { kind: name, deriveGuid, nameOf, taken }, place.at(name));
}

interface CollectionParts {
  readonly directories: Directories;
  /** Null for an object that is read alone: it has only its own links. */
  readonly tree: MenuTree | null;
  readonly context: Pick<ObjectsContext, 'restaurantGuid' | 'taken'>;
}

/** Notes references that lead nowhere. Doesn't check the object against others. */
export function readObject(
  name: CollectionName,
  object: DocumentObject,
  guid: string,
  place: Place,
  parts: { readonly directories: Directories; readonly restaurantGuid: string },
): ObjectContents {
  const { directories, restaurantGuid } = parts;
  const context = { restaurantGuid, taken: new Set<string>() };
  const fields = readFields(name, object, guid, place, { directories, tree: null, context });
  return objectContents(name, object, guid, fields);
}

function readCollection(
  name: CollectionName,
  list: readonly DocumentObject[],
  parts: CollectionParts & { readonly context: ObjectsContext; readonly money: Money },
): PlacedContents[] {
  const { directories, context } = parts;
  const listPlace = context.place.at(name);
  const read = list.flatMap((object, index) => {
    const place = listPlace.at(index);
    const guid = directories[name].guids[index];
    if (!guid || !context.isSound(place)) return [];
    const fields = readFields(name, object, guid, place, parts);
    const contents = objectContents(name, object, guid, fields);
    if (!contents.archived) checkObject(name, contents.fields, place, parts.money);
    return [{ contents, place }];
  });
  const live = read.filter(({ contents }) => !contents.archived);
  checkCollection(
    name,
    live.map(({ contents: { fields }, place }) => ({ fields, place })),
  );
  return read;
}

function objectContents(
  collection: ObjectKind,
  object: DocumentObject,
  guid: string,
  fields: ObjectContents['fields'],
): ObjectContents {
  return {
    collection,
    guid,
    multiLocationId: hasMultiLocationId(collection)
      ? (object.multiLocationId ?? deriveMultiLocationId(guid))
      : null,
    externalId: object.externalId ?? null,
    fields,
    archived: object.archived ?? false,
    modifiedAt: instantOf(object.modifiedDate),
  };
}

function readFields(
  name: CollectionName,
  object: DocumentObject,
  guid: string,
  place: Place,
  { directories, tree, context }: CollectionParts,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const paths = referencePaths(name);
  for (const [field, arrange] of fieldArrangers.get(name) ?? []) {
    const references = paths.get(field) ?? [];
    // Partners see an object in its place, so the contract's schema is not that of documents.
    const isShown = references.some(({ reference }) => reference.kind !== null);
    fields[field] = references.reduce(
      (value, { reference, path }) =>
        replacedAt(value, path, (text, steps) =>
          resolve(reference, text, directories[reference.target], place.at(field, ...steps)),
        ),
      isShown ? object[field] : arrange(object[field]),
    );
  }
  if (tree && name === 'menus') fields.groups = tree.groupsOf(guid);
  if (tree && name === 'menuGroups') Object.assign(fields, tree.linksOf(guid));
  Object.assign(fields, withDeprecatedFields(fields, object, place));
  if (name === 'discounts') {
    fields.promoCodes = readPromoCodes(object, fields.promoCodes, place.at('promoCodes'), context);
  }
  return fields;
}

function resolve(
  reference: ReferenceField,
  value: unknown,
  target: Directory,
  place: Place,
): string | null | string[] {
  const one = (text: unknown, ...steps: DocumentPath): string | null => {
    if (typeof text !== 'string') return null;
    const { guid, fault } = target.resolve(text);
    if (fault !== undefined) place.fault(fault, ...steps);
    return guid || null;
  };
  if (!reference.many) return one(value);
  if (reference.kind === null && value === null) return null;
  const guids = new Set<string>();
  listOf(value).forEach((text, index) => {
    const guid = one(text, index);
    if (guid === null) return;
    if (guids.has(guid)) place.fault('is in this list already; keep one', index);
    guids.add(guid);
  });
  return [...guids];
}

/** Promotion codes have GUIDs of their own (CFG-6); the code names them within a restaurant. */
function readPromoCodes(
  { promoCodes, archived }: DocumentObject,
  arranged: unknown,
  place: Place,
  { restaurantGuid, taken }: Pick<ObjectsContext, 'restaurantGuid' | 'taken'>,
): unknown[] {
  const kind = 'promoCodes';
  const codeOf = ({ code }: Readonly<Record<string, unknown>>) =>
    typeof code === 'string' ? code : null;
  const deriveGuid = (key: string) => deriveObjectGuid(restaurantGuid, kind, key);
  // Another discount may reuse an archived discount's code, and the code keeps its GUID there.
  const rules = { kind, deriveGuid, nameOf: codeOf, taken: archived ? new Set<string>() : taken };
  const { guids } = new Directory(listOf(promoCodes), rules, place);
  return listOf(arranged).map((code, index) => ({ ...code, guid: guids[index] }));
}

function readTipWithholding(
  object: DocumentObject,
  { restaurantGuid, place, taken, isSound }: ObjectsContext,
): ObjectContents {
  const here = place.at('tipWithholding');
  const arrangers = fieldArrangers.get('tipWithholding') ?? [];
  const fields = Object.fromEntries(
    arrangers.map(([field, arrange]) => [field, arrange(object[field])]),
  );
  const { percentage } = fields;
  if (isSound(here) && typeof percentage === 'number' && (percentage < 0 || percentage > 1)) {
    here.fault('must be a fraction from 0 to 1: write 0.03 for three percent', 'percentage');
  }
  const given = typeof object.guid === 'string' ? parseGuid(object.guid) : null;
  const guid = given ?? tipWithholdingGuid(restaurantGuid);
  if (taken.has(guid)) here.fault(`${guid} is the guid of something else here`, 'guid');
  taken.add(guid);
  return objectContents('tipWithholding', object, guid, fields);
}

function checkMultiLocationIds(
  objects: readonly ObjectContents[],
  directories: Directories,
  place: Place,
): void {
  const seen = new Set<string>();
  for (const { collection, guid, multiLocationId } of objects) {
    if (multiLocationId === null || collection === 'tipWithholding') continue;
    const key = `${collection} ${multiLocationId}`;
    if (seen.has(key)) {
      const directory = directories[collection];
      const message = `is the multiLocationId of another of the ${collection} here; change one`;
      place.fault(message, collection, directory.indexOf(guid) ?? 0, 'multiLocationId');
    }
    seen.add(key);
  }
}
