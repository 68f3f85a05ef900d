import { type Operation, type SchemaName, schemas } from '@servery/contract';
import { type DocumentPath, readPath } from '../document/faults.ts';
import type { JsonSchema } from '../document/shape.ts';

const names = new Map<unknown, string>(
  Object.entries(schemas).map(([name, schema]) => [schema, name]),
);

/** Where the OpenAPI document describes a place of a request, as the faults name it. */
export function schemaPathOf(operation: Operation | null, field: string): string | null {
  if (!operation) return null;
  const { query, params } = operation;
  if (Object.hasOwn(query, field)) return `query parameter ${field}`;
  if (Object.hasOwn(params, field)) return `path parameter ${field}`;
  const path = readPath(field);
  const found = path && findInBody(operation, path);
  return found && 'path' in found ? found.path : null;
}

export type FoundInBody =
  | { readonly path: string }
  /** Which steps there are in place of one that can't exist. */
  | { readonly stepsThere: readonly string[] };

/** Null if the operation takes no body. */
export function findInBody(
  { requestBody }: Pick<Operation, 'requestBody'>,
  steps: DocumentPath,
): FoundInBody | null {
  if (!requestBody) return null;
  let path = `#/components/schemas/${requestBody.schema}`;
  let schema = schemas[requestBody.schema] as unknown as JsonSchema;
  let isElement = requestBody.array;
  for (const step of steps) {
    if (isElement) {
      if (typeof step !== 'number') return { stepsThere: [ELEMENT] };
      isElement = false;
      continue;
    }
    const inner = resolved(schema);
    const known = names.get(inner);
    if (known !== undefined) path = `#/components/schemas/${known}`;
    else if (inner !== schema) path += '/anyOf/0';
    const { properties = {}, items } = inner;
    const isOpen = inner.properties === undefined && inner.type === 'object';
    if (isOpen) return { path };
    const isNamed = typeof step === 'string' && Object.hasOwn(properties, step);
    const next = typeof step === 'number' ? items : isNamed ? properties[step] : undefined;
    if (!next) return { stepsThere: items ? [ELEMENT] : Object.keys(properties) };
    path += typeof step === 'number' ? '/items' : `/properties/${step}`;
    schema = next;
  }
  return { path };
}

const ELEMENT = '[0]';

/** A resource that holds itself names itself. */
function resolved(schema: JsonSchema): JsonSchema {
  const inner = schema.anyOf?.[0] ?? schema;
  const { $ref } = inner;
  return $ref === undefined ? inner : (schemas[$ref as SchemaName] as unknown as JsonSchema);
}
