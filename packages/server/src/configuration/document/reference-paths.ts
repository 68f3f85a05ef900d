import type { ReferenceField } from '@servery/contract';
import type { DocumentPath } from '../../document/faults.ts';
import type { ObjectKind } from './contents.ts';
import { referencesOf } from './schema.ts';

type Path = readonly string[];
type Fields = Readonly<Record<string, unknown>>;

/** Goes on to each entry of a list. */
const EACH = '[]';

export interface ReferencePath {
  readonly reference: ReferenceField;
  /** The steps below the field. */
  readonly path: Path;
}

const pathsByKind = new Map<ObjectKind, ReadonlyMap<string, readonly ReferencePath[]>>();

/** The references of a collection by the field that they are in. */
export function referencePaths(kind: ObjectKind): ReadonlyMap<string, readonly ReferencePath[]> {
  const paths = pathsByKind.get(kind) ?? Map.groupBy(listPaths(kind), ({ field }) => field);
  pathsByKind.set(kind, paths);
  return paths;
}

function listPaths(kind: ObjectKind): (ReferencePath & { readonly field: string })[] {
  return referencesOf(kind).map((reference) => {
    const [field = '', ...path] = stepsOf(reference);
    return { field, reference, path };
  });
}

function stepsOf({ field }: ReferenceField): Path {
  return field.split('.').flatMap((step) => {
    return step.endsWith(EACH) ? [step.slice(0, -EACH.length), EACH] : step;
  });
}

/** A copy with another value at each place of the path. What is null on the way stays null. */
export function replacedAt(
  value: unknown,
  [step, ...path]: Path,
  replace: (value: unknown, place: DocumentPath) => unknown,
  place: DocumentPath = [],
): unknown {
  if (step === undefined) return replace(value, place);
  if (step === EACH) {
    if (value === null) return null;
    const entries = Array.isArray(value) ? value : [];
    return entries.map((entry, index) => replacedAt(entry, path, replace, [...place, index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner = replacedAt((value as Fields)[step], path, replace, [...place, step]);
  return { ...value, [step]: inner };
}

/** A copy that has something else for the GUID of each reference. */
export function withReferences<Object extends Fields>(
  kind: ObjectKind,
  object: Object,
  replace: (guid: unknown) => unknown,
): Object {
  const all = (value: unknown) => (Array.isArray(value) ? value.map(replace) : replace(value));
  return referencesOf(kind).reduce<Fields>(
    (copy, reference) => replacedAt(copy, stepsOf(reference), all) as Fields,
    object,
  ) as Object;
}

/** What stands at the places of a reference. */
export function valuesAt(fields: Fields, reference: ReferenceField): unknown[] {
  return valuesBelow(fields, stepsOf(reference)).flat();
}

function valuesBelow(value: unknown, [step, ...path]: Path): unknown[] {
  if (step === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (step === EACH) {
    return Array.isArray(value) ? value.flatMap((entry) => valuesBelow(entry, path)) : [];
  }
  return valuesBelow((value as Fields)[step], path);
}
