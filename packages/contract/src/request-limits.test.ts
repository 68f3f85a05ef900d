import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from './operations.ts';
import { type SchemaName, schemas } from './schemas.ts';

/** The keywords of a schema that this test reads. */
interface Shape {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly propertyNames?: Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Formats that no long text has. */
const SHORT_FORMATS = new Set(['uuid', 'date-time', 'date', 'duration', 'ipv4', 'ipv6']);

/** Documents with schemas of their own, which bound each of their texts. */
const OPEN = new Set([
  'ConfigurationObjectFields',
  'PlanConfiguration',
  'ApplyConfiguration',
  'DraftConfiguration',
]);

test('contract: each text and list of a request has a limit (API-12)', () => {
  const unbounded = operations.flatMap(({ id, requestBody, params, query }) => {
    const found: string[] = [];
    for (const [name, schema] of Object.entries({ ...params, ...query })) {
      walk(schema as unknown as Shape, `${id} ${name}`, false, found);
    }
    if (requestBody) {
      const { schema, array, maxItems } = requestBody;
      if (array && maxItems === undefined) found.push(`${id}: its list`);
      walk(
        schemas[schema as SchemaName] as unknown as Shape,
        `${id} body`,
        OPEN.has(schema),
        found,
      );
    }
    return found;
  });
  assert.deepEqual(unbounded, [], 'give these a maxLength, maxItems or maxProperties');
});

function walk(shape: Shape, where: string, isOpen: boolean, found: string[]): void {
  const types = [shape.type].flat();
  if (types.includes('string') && !isShort(shape)) found.push(where);
  if (types.includes('array') && shape.maxItems === undefined) found.push(where);
  const { properties = {}, items, additionalProperties: values, anyOf = [] } = shape;
  const isMap = types.includes('object') && !shape.properties;
  const isBounded = shape.maxProperties && shape.propertyNames?.maxLength;
  if (isMap && !isOpen && !isBounded) found.push(`${where}: its keys`);
  for (const [name, inner] of Object.entries(properties)) {
    walk(inner, `${where}.${name}`, isOpen, found);
  }
  if (items) walk(items, `${where}[]`, isOpen, found);
  if (typeof values === 'object') walk(values, `${where}.*`, isOpen, found);
  for (const branch of anyOf) walk(branch, where, isOpen, found);
}

/** Whether no long text can be of this schema. */
function isShort({ type, maxLength, const: only, enum: values, pattern, format, anyOf }: Shape) {
  if ([maxLength, only, values].some((keyword) => keyword !== undefined)) return true;
  if (format !== undefined && SHORT_FORMATS.has(format)) return true;
  if (pattern !== undefined) return pattern.startsWith('^') && !/[^\\][*+]|\{\d+,\}/.test(pattern);
  return Boolean(type && anyOf?.every((branch) => SHORT_FORMATS.has(String(branch.format))));
}
