import { type SchemaName, type ServerKeywords, schemas } from '@servery/contract';

export interface JsonSchema extends ServerKeywords {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly $defs?: Definitions;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: unknown;
}

type Definitions = Readonly<Record<string, JsonSchema>>;

export interface Shape {
  readonly types: readonly string[] | null;
  readonly values: readonly unknown[] | null;
  readonly branches: readonly Shape[];
  readonly text: ReturnType<typeof textOf>;
  readonly number: ReturnType<typeof numberOf>;
  readonly must: string | null;
  readonly list: ListShape;
  readonly object: ObjectShape;
  readonly filledWith: unknown;
  readonly isAbsentWhenEmpty: boolean;
  readonly isAbsentWhenNull: boolean;
}

interface ListShape {
  readonly atLeast: number;
  readonly atMost: number;
  readonly isUnique: boolean;
  readonly element: Shape | null;
}

interface ObjectShape {
  readonly fields: ReadonlyMap<string, Shape>;
  readonly required: readonly string[];
  readonly ignored: ReadonlySet<string>;
  readonly map: MapShape | null;
  readonly isOpen: boolean;
}

export interface MapShape {
  readonly keys: number;
  readonly keyPattern: RegExp | null;
  readonly keyCharacters: number;
  readonly value: Shape;
}

/**
 * For texts that a pattern, format or list of values already limits. Longer ones are refused before
 * anything reads them (API-12).
 */
const BOUNDED_CHARACTERS = 255;

const shapes = new WeakMap<object, Shape>();

export function shapeOf(schema: object): Shape {
  return shapeWithin(schema as JsonSchema, {});
}

function shapeWithin(schema: JsonSchema, around: Definitions): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const { $ref, $defs: definitions = around } = schema;
  const shape = $ref ? shapeAt($ref, definitions) : compile(schema, definitions);
  shapes.set(schema, shape);
  return shape;
}

function shapeAt(reference: string, definitions: Definitions): Shape {
  // A resource of the contract that holds itself names itself.
  if (!reference.startsWith('#')) return shapeOf(schemas[reference as SchemaName]);
  const definition = definitions[reference.replace('#/$defs/', '')];
  if (!definition) throw new Error(`a schema has no definition for ${reference}`);
  return shapeWithin(definition, definitions);
}

function compile(schema: JsonSchema, definitions: Definitions): Shape {
  const within = (inner: JsonSchema) => shapeWithin(inner, definitions);
  return {
    types: typesOf(schema),
    values: schema.enum ?? (schema.const === undefined ? null : [schema.const]),
    branches: (schema.anyOf ?? []).map(within),
    text: textOf(schema),
    number: numberOf(schema),
    must: schema['~must'] ?? null,
    list: {
      atLeast: schema.minItems ?? 0,
      atMost: schema.maxItems ?? Number.POSITIVE_INFINITY,
      isUnique: schema.uniqueItems ?? false,
      // When it is asked for: a resource may hold itself.
      get element() {
        return schema.items ? within(schema.items) : null;
      },
    },
    object: objectOf(schema, within),
    filledWith: schema['~fills'] ? schema.default : undefined,
    isAbsentWhenEmpty: schema['~emptyIsAbsent'] ?? false,
    isAbsentWhenNull: schema['~nullIsAbsent'] ?? false,
  };
}

function typesOf({ type, '~mayBeNull': mayBeNull }: JsonSchema): string[] | null {
  if (type === undefined) return null;
  return mayBeNull ? [type, 'null'].flat() : [type].flat();
}

const patternOf = ({ pattern }: JsonSchema): RegExp | null =>
  pattern === undefined ? null : new RegExp(pattern, 'u');

function numberOf(schema: JsonSchema) {
  return {
    from: schema.minimum ?? Number.NEGATIVE_INFINITY,
    to: schema.maximum ?? Number.POSITIVE_INFINITY,
    above: schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY,
    below: schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY,
  };
}

function textOf(schema: JsonSchema) {
  const isText = schema.type !== undefined || schema.enum || schema.const !== undefined;
  return {
    atLeast: schema.minLength ?? 0,
    atMost: schema.maxLength ?? (isText ? BOUNDED_CHARACTERS : Number.POSITIVE_INFINITY),
    pattern: patternOf(schema),
    description: schema.description ?? '',
    format: schema.format ?? null,
    reading: schema['~reads'] ?? null,
  };
}

function objectOf(schema: JsonSchema, within: (inner: JsonSchema) => Shape): ObjectShape {
  const { properties = {}, additionalProperties: values } = schema;
  const fields = Object.entries(properties).map(([name, field]): [string, Shape] => [
    name,
    within(field),
  ]);
  return {
    fields: new Map(fields),
    required: (schema.required ?? []).filter((name) => !properties[name]?.['~mayBeAbsent']),
    ignored: new Set(schema['~ignored']),
    map:
      typeof values === 'object'
        ? {
            keys: schema.maxProperties ?? Number.POSITIVE_INFINITY,
            keyPattern: patternOf(schema.propertyNames ?? {}),
            keyCharacters: schema.propertyNames?.maxLength ?? BOUNDED_CHARACTERS,
            value: within(values),
          }
        : null,
    isOpen:
      schema['~ignoresUnknown'] === true ||
      values === true ||
      (schema.properties === undefined && values === undefined),
  };
}
