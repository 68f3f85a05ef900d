import { type CollectionName, collectionReferences, collections } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import type { Sql } from '../database/database.ts';
import { type CheckShape, shapeChecker } from '../document/check-shape.ts';
import { FaultList, KEPT_FAULTS_OF_EDITS, Place } from '../document/faults.ts';
import type { JsonSchema } from '../document/field-schema.ts';
import { checkTexts } from '../document/text-check.ts';
import type { Faults } from '../http/faults.ts';
import { type CheckCardNumbers, cardNumberChecker } from './document/card-number-check.ts';
import type { ObjectContents } from './document/contents.ts';
import { Directory, nameOf } from './document/directory.ts';
import type { DocumentObject } from './document/document.ts';
import { type Directories, readObject } from './document/read-objects.ts';
import { valuesAt } from './document/reference-paths.ts';
import { objectOf } from './document/schema.ts';
import { listNamedObjects } from './draft-store.ts';

/** Archiving has its own operations, and editors don't set times. */
const NOT_EDITED = ['key', 'archived', 'modifiedDate'];

const shapes = new Map<CollectionName, CheckShape>(
  collections.map(({ name }) => [
    name,
    shapeChecker(() => draftSchema(name), KEPT_FAULTS_OF_EDITS),
  ]),
);

const cardNumberChecks = new Map<CollectionName, CheckCardNumbers>(
  collections.map(({ name }) => [name, cardNumberChecker(() => draftSchema(name))]),
);

function draftSchema(name: CollectionName): JsonSchema {
  const schema = objectOf(name);
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([field]) => !NOT_EDITED.includes(field))),
  };
}

export interface EditedObject {
  readonly restaurantGuid: string;
  readonly collection: CollectionName;
  readonly guid: string;
  readonly archived: boolean;
}

/**
 * Refuses `faults` when the shape is wrong or a reference leads to nothing published or drafted.
 */
export async function readDraft(
  sql: Sql,
  edited: EditedObject,
  document: DocumentObject,
  faults: Faults,
): Promise<ObjectContents> {
  const { restaurantGuid, collection, guid, archived } = edited;
  shapes.get(collection)?.(document, faults);
  // A value of the wrong shape can have any size, so don't walk it.
  faults.refuse();
  checkTexts(document, faults);
  cardNumberChecks.get(collection)?.(document, faults);
  faults.refuse();
  const directories = await readDirectories(sql, restaurantGuid, collection, document);
  const place = new Place(faults, []);
  const read = readObject(collection, document, guid, place, { directories, restaurantGuid });
  faults.refuse();
  return { ...read, archived };
}

async function readDirectories(
  sql: Sql,
  restaurantGuid: string,
  collection: CollectionName,
  document: DocumentObject,
): Promise<Directories> {
  const references = collectionReferences[collection];
  const texts = references
    .flatMap((reference) => valuesAt(document, reference))
    .filter((text) => typeof text === 'string');
  const found =
    texts.length === 0
      ? []
      : await listNamedObjects(
          sql,
          restaurantGuid,
          references.map(({ target }) => target),
          {
            guids: texts.flatMap((text) => parseGuid(text) ?? []),
            names: texts.filter((text) => parseGuid(text) === null),
          },
        );
  const nowhere = new Place(new FaultList(), []);
  const entries = collections.map(({ name }) => {
    const things = found.filter((object) => object.collection === name);
    const rules = { kind: name, deriveGuid: () => '', nameOf, taken: new Set<string>() };
    return [name, new Directory(things, rules, nowhere)];
  });
  return Object.fromEntries(entries) as Directories;
}
