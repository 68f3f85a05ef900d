import { collections } from '@servery/contract';
import { instantText } from '../../text/instant.ts';
import type { ObjectContents, ObjectKind } from './contents.ts';

const externalKinds = new Set<ObjectKind>(
  collections.filter((each) => each.reference === 'ExternalReference').map(({ name }) => name),
);

/** An object in the canonical form: every field, references as GUIDs, the order of the contract. */
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

/** Things with a GUID inside an object, as promotion codes, say their type on the wire only. */
function withoutType(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry) => {
    if (typeof entry !== 'object' || entry === null || !('entityType' in entry)) return entry;
    const { entityType: _entityType, ...fields } = entry;
    return fields;
  });
}

/** The tip withholding in the canonical form. */
export function canonicalTipWithholding({ guid, modifiedMs, fields }: ObjectContents): object {
  return { guid, ...modifiedDate(modifiedMs), ...fields };
}

/** The time of change as a document writes it; nothing where there is none. */
export function modifiedDate(modifiedMs: number | null): object {
  return modifiedMs === null ? {} : { modifiedDate: instantText(modifiedMs) };
}
