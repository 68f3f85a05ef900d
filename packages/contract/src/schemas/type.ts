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

/** Kept out of the schema itself, like in typebox. */
const OPTIONAL = '~optional';

const copyOf = (schema: Schema): Schema =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));

export const isOptional = (schema: object): boolean => OPTIONAL in schema;

const object = (fields: Readonly<Record<string, Schema>>, keywords: Schema = {}) => {
  const required = Object.keys(fields).filter((name) => !isOptional(fields[name] ?? {}));
  const needed = required.length > 0 ? { required } : {};
  return { type: 'object', ...needed, properties: fields, ...keywords };
};

/**
 * Replaces typebox, whose 370 modules delay each process by a fifth of a second. `type.test.ts`
 * compares the two.
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

export const Type = builders as unknown as Pick<typeof Typebox, BuilderName>;
