import type { Static, TSchema } from 'typebox';
import { Type } from './type.ts';

/**
 * A JSON merge patch (RFC 7396) of a value: a field that is absent stays as it is, and null clears
 * it. A list is replaced as a whole.
 */
type PatchOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value]?: PatchOf<Value[Name]> | null }
    : Value;

/** The keywords of a schema that its patch is made of. */
interface Shape {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
}

/**
 * The schema of patches of an object. `required` names the fields that a new object cannot be
 * without. Names that the object does not have are refused: a mistyped one would change nothing.
 */
export function patchOf<Schema extends TSchema>(schema: Schema, required: readonly string[] = []) {
  return Type.Unsafe<PatchOf<Static<Schema>>>(objectPatch(schema as unknown as Shape, required));
}

function objectPatch(shape: Shape, required: readonly string[]): Shape {
  const { properties = {}, required: _required, ...rest } = shape;
  const fields = Object.entries(properties).map(([name, field]) => {
    const patch = valuePatch(field);
    // Null is no value (RFC 7396).
    return [name, required.includes(name) ? { ...patch, '~nullIsAbsent': true } : orNull(patch)];
  });
  return {
    ...rest,
    ...(required.length > 0 ? { required: [...required] } : {}),
    properties: Object.fromEntries(fields),
  };
}

function valuePatch(shape: Shape): Shape {
  if (shape.properties) return objectPatch(shape, []);
  // What a field is when nobody says anything is no part of a patch: there it stays as it is.
  const { default: _default, additionalProperties: values, ...rest } = shape;
  if (values === undefined) return rest;
  const patch = typeof values === 'object' ? orNull(valuePatch(values)) : values;
  return { ...rest, additionalProperties: patch };
}

function orNull(shape: Shape): Shape {
  const { type, description } = shape;
  if (Array.isArray(type)) return shape;
  if (type !== 'object') return { ...shape, type: [type, 'null'] };
  const about = description === undefined ? {} : { description };
  return { anyOf: [shape, { type: 'null' }], ...about };
}
