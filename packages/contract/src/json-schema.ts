import { type SchemaName, schemas } from './schemas.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

const nameOf = new Map<unknown, SchemaName>(
  Object.entries(schemas).map(([name, schema]) => [schema, name as SchemaName]),
);

/**
 * Names other resources by reference, so each is written once, in OpenAPI and for the validators.
 */
export function resourceSchema(name: SchemaName, base: string): JsonSchema {
  return withReferences(schemas[name], base, name) as JsonSchema;
}

export function referencedNames(schema: unknown, base: string): SchemaName[] {
  const found = new Set<SchemaName>();
  JSON.stringify(schema, (key, value) => {
    const isResource = key === '$ref' && typeof value === 'string' && value.startsWith(base);
    if (isResource) found.add(value.slice(base.length) as SchemaName);
    return value;
  });
  return [...found];
}

function withReferences(value: unknown, base: string, root?: SchemaName): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withReferences(element, base));
  const name = nameOf.get(value);
  if (name && name !== root) return { $ref: `${base}${name}` };
  // Keywords that only the server reads are not published.
  const published = Object.entries(value).filter(([key]) => !key.startsWith('~'));
  const entries = published.map(([key, inner]) =>
    // A recursive resource is written by its bare name.
    key === '$ref' ? [key, `${base}${inner}`] : [key, withReferences(inner, base)],
  );
  return Object.fromEntries(entries);
}
