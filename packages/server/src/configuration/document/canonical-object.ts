import { collections } from '@servery/contract';
import type { ObjectContents, ObjectKind } from './contents.ts';
import type { DocumentObject } from './document.ts';

const externalKinds = new Set<ObjectKind>(
  collections.filter((each) => each.reference === 'ExternalReference').map(({ name }) => name),
);

export function canonicalObject(object: ObjectContents): DocumentObject {
  const { collection, guid, externalId, multiLocationId, archived, modifiedAt, fields } = object;
  return {
    guid,
    ...(externalKinds.has(collection) && { externalId }),
    ...(multiLocationId !== null && { multiLocationId }),
    ...(collection !== 'tipWithholding' && { archived }),
    ...(modifiedAt !== null && { modifiedDate: modifiedAt.toISOString() }),
    ...Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, withoutType(value)]),
    ),
  };
}

function withoutType(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry) => {
    if (typeof entry !== 'object' || entry === null || !('entityType' in entry)) return entry;
    const { entityType: _entityType, ...fields } = entry;
    return fields;
  });
}
