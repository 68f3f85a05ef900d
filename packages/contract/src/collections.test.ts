import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectionReferences, type ReferenceField } from './collection-references.ts';
import { type Collection, collectionByName, collections, isCollectionName } from './collections.ts';
import { schemas } from './schemas.ts';

const all: readonly Collection[] = collections;

test('configuration CFG-1: 23 collections, each with a name, object and tag of its own', () => {
  assert.equal(all.length, 23);
  for (const field of ['name', 'object', 'tag'] as const) {
    assert.equal(new Set(all.map((each) => each[field])).size, 23, field);
  }
  assert.ok(isCollectionName('printers') && isCollectionName('salesCategories'));
  assert.ok(!isCollectionName('tipWithholding') && !isCollectionName('constructor'));
  assert.equal(collectionByName('tables').object, 'Table');
});

test('configuration CFG-7: the entityType of every collection is the name of its object', () => {
  for (const { object, schema, reference } of all) {
    assert.equal(schema, schemas[object]);
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
    const declared = collectionReferences[name].map(({ target, ...rest }) => {
      assert.ok(isCollectionName(target), `${name}.${rest.field}`);
      return rest;
    });
    assert.deepEqual(declared, found, name);
  }
});
