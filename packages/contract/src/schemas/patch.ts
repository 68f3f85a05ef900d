import type { Static, TSchema } from 'typebox';
import { Type } from './type.ts';

/** RFC 7396: an absent field stays, null clears it, and a list is replaced as a whole. */
type PatchOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value]?: PatchOf<Value[Name]> | null }
    : Value;

interface Shape {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
}

/**
 * `required` is for new objects. Unknown names are refused, because a mistyped one would change
 * nothing.
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
  // A patch has no defaults: an absent field stays unchanged.
  const { default: _default, additionalProperties: values, ...rest } = shape;
  if (values === undefined) return rest;
  const patch = typeof values === 'object' ? orNull(valuePatch(values)) : values;
  return { ...rest, additionalProperties: patch };
}

function orNull(shape: Shape): Shape {
  const { type, description } = shape;
  if (Array.isArray(type)) return shape;
  if (type !== 'object') {
    const values = shape.enum && { enum: [...shape.enum, null] };
    return { ...shape, type: [type, 'null'], ...values };
  }
  const about = description === undefined ? {} : { description };
  return { anyOf: [shape, { type: 'null' }], ...about };
}
