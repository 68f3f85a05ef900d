import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  collectionReferences,
  partnerReferences,
  type ReferenceField,
} from './collection-references.ts';
import {
  type Collection,
  collectionByName,
  collections,
  isCollectionName,
  partnerCollections,
} from './collections.ts';
import { officeFieldsOf } from './office-fields.ts';
import { REFERENCE_TEXT } from './schemas/field.ts';
import { schemas } from './schemas.ts';

const all: readonly Collection[] = collections;

test('configuration CFG-1: 23 collections, each with a name, object and tag of its own', () => {
  assert.equal(partnerCollections.length, 23);
  for (const field of ['name', 'object', 'tag'] as const) {
    assert.equal(new Set(all.map((each) => each[field])).size, all.length, field);
  }
  assert.ok(isCollectionName('printers') && isCollectionName('salesCategories'));
  assert.ok(!isCollectionName('tipWithholding') && !isCollectionName('constructor'));
  assert.equal(collectionByName('tables').object, 'Table');
});

test('configuration CFG-7: the entityType of every collection is the name of its object', () => {
  for (const { object, schema, reference } of all) {
    if (object !== 'ItemTag') assert.equal(schema, schemas[object]);
    const { properties } = schema as unknown as { properties: Record<string, unknown> };
    assert.equal(Reflect.get(properties.entityType ?? {}, 'const'), object);
    assert.equal('externalId' in properties, reference === 'ExternalReference', object);
  }
});

/** The reference that a field's schema holds, as `collectionReferences` would describe it. */
function shapeOf(schema: unknown): Pick<ReferenceField, 'many' | 'kind' | 'embed'> | null {
  const { items, anyOf } = schema as { items?: unknown; anyOf?: unknown[] };
  const target = items ?? anyOf?.[0];
  const many = items !== undefined;
  if (target === schemas.Reference) return { many, kind: 'Reference' };
  if (target === schemas.ExternalReference) return { many, kind: 'ExternalReference' };
  if (target === schemas.TaxRate) return { many, kind: 'Reference', embed: true };
  return null;
}

test('configuration CFG-7: every field that points to another object is known with its shape', () => {
  for (const { name, schema } of collections) {
    const found = Object.entries(schema.properties).flatMap(([field, value]) => {
      const shape = shapeOf(value);
      return shape ? [{ field, ...shape }] : [];
    });
    const declared = partnerReferences(name).map(({ target, ...rest }) => {
      assert.ok(isCollectionName(target), `${name}.${rest.field}`);
      return rest;
    });
    assert.deepEqual(declared, found, name);
  }
});

interface Shape {
  readonly anyOf?: readonly Shape[];
  readonly type?: unknown;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly description?: string;
}

/** The paths of the texts that documents write for other objects. */
function referencesBelow(path: string, shape: Shape): string[] {
  const value = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape;
  if (value.items?.properties) return referencesBelow(`${path}[]`, value.items);
  if (value.items) return referencesBelow(path, value.items);
  if (value.properties) {
    return Object.entries(value.properties).flatMap(([name, field]) =>
      referencesBelow(`${path}.${name}`, field),
    );
  }
  return value.description?.endsWith(REFERENCE_TEXT) ? [path] : [];
}

test('configuration: every field that refers to another object and that partners do not see is known', () => {
  for (const { name } of collections) {
    const found = Object.entries(officeFieldsOf(name)).flatMap(([field, schema]) =>
      referencesBelow(field, schema as Shape),
    );
    const declared = collectionReferences[name].filter(({ kind }) => kind === null);
    assert.deepEqual(declared.map(({ field }) => field).toSorted(), found.toSorted(), name);
  }
});
