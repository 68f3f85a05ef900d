import type { ReferenceField } from '@servery/contract';
import type { Place } from '../../document/faults.ts';
import type { ObjectKind } from './contents.ts';
import { referencesOf } from './schema.ts';

/** Steps below a field of an object; `EACH` goes to every entry of a list. */
type Path = readonly string[];

const EACH = '[]';

interface ReferencePath {
  readonly reference: ReferenceField;
  readonly path: Path;
}

const pathsByKind = new Map<ObjectKind, ReadonlyMap<string, readonly ReferencePath[]>>();

/** The references at or below a field of the objects of a collection. */
export function referencePaths(kind: ObjectKind, field: string): readonly ReferencePath[] {
  const known = pathsByKind.get(kind) ?? pathsOf(kind);
  pathsByKind.set(kind, known);
  return known.get(field) ?? [];
}

function pathsOf(kind: ObjectKind): ReadonlyMap<string, readonly ReferencePath[]> {
  const paths = referencesOf(kind).map((reference) => {
    const [field = '', ...path] = stepsOf(reference);
    return { field, reference, path };
  });
  return Map.groupBy(paths, ({ field }) => field);
}

function stepsOf({ field }: ReferenceField): string[] {
  return field
    .split('.')
    .flatMap((step) => (step.endsWith(EACH) ? [step.slice(0, -2), EACH] : step));
}

/** A copy with another value at each place of the path. Null on the way stays null. */
export function atPath(
  value: unknown,
  [step, ...path]: Path,
  place: Place,
  replace: (value: unknown, place: Place) => unknown,
): unknown {
  if (step === undefined) return replace(value, place);
  if (value === null || value === undefined) return value;
  if (step === EACH) {
    const list = Array.isArray(value) ? value : [];
    return list.map((entry, index) => atPath(entry, path, place.at(index), replace));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: atPath(fields[step], path, place.at(step), replace) };
}

/** All values at the places of a reference. */
export function valuesAt(fields: unknown, reference: ReferenceField): unknown[] {
  return valuesBelow(fields, stepsOf(reference)).flat();
}

function valuesBelow(value: unknown, [step, ...path]: Path): unknown[] {
  if (step === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (step === EACH) {
    return Array.isArray(value) ? value.flatMap((entry) => valuesBelow(entry, path)) : [];
  }
  return valuesBelow((value as Readonly<Record<string, unknown>>)[step], path);
}
