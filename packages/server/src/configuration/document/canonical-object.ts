import { collections } from '@servery/contract';
import { instantText } from '../../text/instant.ts';
import type { ObjectContents, ObjectKind } from './contents.ts';

const externalKinds = new Set<ObjectKind>(
  collections.filter((each) => each.reference === 'ExternalReference').map(({ name }) => name),
);

export function canonicalObject(object: ObjectContents): object {
  const { kind, guid, externalId, multiLocationId, archived, modifiedMs, fields } = object;
  return {
    guid,
    ...(externalKinds.has(kind) ? { externalId } : {}),
    ...(multiLocationId === null ? {} : { multiLocationId }),
    archived,
    ...modifiedDate(modifiedMs),
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

export function canonicalTipWithholding({ guid, modifiedMs, fields }: ObjectContents): object {
  return { guid, ...modifiedDate(modifiedMs), ...fields };
}

export function modifiedDate(modifiedMs: number | null): object {
  return modifiedMs === null ? {} : { modifiedDate: instantText(modifiedMs) };
}
