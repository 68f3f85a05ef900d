import type { Type as Typebox } from 'typebox';

type Schema = Readonly<Record<string, unknown>>;
type BuilderName =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Ref'
  | 'String'
  | 'Union'
  | 'Unsafe';

/** Marks a field that may be absent. As typebox does, it is kept out of the schema itself. */
const OPTIONAL = '~optional';

/** A schema of its own, optional where the first one is. */
const copyOf = (schema: Schema): Schema =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));

/** Whether a field may be absent. */
export const isOptional = (schema: object): boolean => OPTIONAL in schema;

const object = (fields: Readonly<Record<string, Schema>>, keywords: Schema = {}) => {
  const required = Object.keys(fields).filter((name) => !isOptional(fields[name] ?? {}));
  const needed = required.length > 0 ? { required } : {};
  return { type: 'object', ...needed, properties: fields, ...keywords };
};

/**
 * What typebox builds, and with its types, for the few builders that the contract needs. Typebox
 * itself is 370 modules, which cost every process that knows the contract, each `servery` too, a
 * fifth of a second before its work begins. `type.test.ts` holds the two together.
 */
const builders = {
  Array: (items: Schema, keywords?: Schema) => ({ type: 'array', items, ...keywords }),
  Boolean: (keywords?: Schema) => ({ type: 'boolean', ...keywords }),
  Integer: (keywords?: Schema) => ({ type: 'integer', ...keywords }),
  Literal: (value: unknown, keywords?: Schema) => ({
    ...{ type: typeof value, const: value },
    ...keywords,
  }),
  Number: (keywords?: Schema) => ({ type: 'number', ...keywords }),
  Object: object,
  Optional: (schema: Schema) => Object.defineProperty(copyOf(schema), OPTIONAL, { value: true }),
  Ref: (name: string, keywords?: Schema) => ({ $ref: name, ...keywords }),
  String: (keywords?: Schema) => ({ type: 'string', ...keywords }),
  Union: (anyOf: readonly Schema[], keywords?: Schema) => ({ anyOf, ...keywords }),
  Unsafe: copyOf,
};

/** Builds JSON Schemas whose TypeScript type `Static` of typebox gives. */
export const Type = builders as unknown as Pick<typeof Typebox, BuilderName>;
