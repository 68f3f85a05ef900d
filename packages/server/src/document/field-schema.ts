import type { JsonSchema } from './shape.ts';

export type { JsonSchema };

// Made by objectSchema: a nested one keeps its own optional fields.
const finished = new WeakSet<JsonSchema>();

function isNullable(schema: JsonSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some(isNullable);
  return Array.isArray(schema.type) ? schema.type.includes('null') : schema.type === 'null';
}

/** `arranger` fills the field in with a default, null or []. */
function isOptional(schema: JsonSchema): boolean {
  if ('default' in schema || isNullable(schema)) return true;
  if (schema.type === 'array') return (schema.minItems ?? 0) === 0;
  return schema.type === 'object' && Object.values(schema.properties ?? {}).every(isOptional);
}

/**
 * Fields that can be filled in may be absent. `{anyOf: [X, null]}` becomes X or null, so that a
 * wrong value causes one fault, not one for each branch.
 */
function documentSchema(schema: JsonSchema): JsonSchema {
  if (finished.has(schema)) return schema;
  if (schema.anyOf) return nullableObject(schema);
  if (schema.type === 'array' && schema.items) {
    return { ...schema, items: documentSchema(schema.items) };
  }
  if (schema.type !== 'object') return { ...schema };
  if (typeof schema.additionalProperties === 'object') {
    return { ...schema, additionalProperties: documentSchema(schema.additionalProperties) };
  }
  return objectSchema(schema, schema.properties ?? {});
}

/**
 * Fields may be absent if `isOptional` says so, or if they are in `optional`: other code fills
 * those in.
 */
export function objectSchema(
  keywords: JsonSchema,
  fields: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = documentSchema(field);
    if (!isOptional(field) && !optional.includes(name)) required.push(name);
  }
  const { description } = keywords;
  const schema: JsonSchema = {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties,
  };
  finished.add(schema);
  return schema;
}

function nullableObject(schema: JsonSchema): JsonSchema {
  const { anyOf: _branches, ...keywords } = schema;
  const branch = documentSchema(valueBranch(schema));
  return { ...branch, ...keywords, type: [branch.type as string, 'null'] };
}

function valueBranch(schema: JsonSchema): JsonSchema {
  const branches = (schema.anyOf ?? []).filter((branch) => branch.type !== 'null');
  const [branch] = branches;
  if (!branch || branches.length !== 1) {
    throw new Error('the contract has a choice of schemas that the group document cannot hold yet');
  }
  return branch;
}
