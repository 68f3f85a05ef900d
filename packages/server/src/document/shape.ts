import type { Reading, ServerKeywords } from '@servery/contract';

interface Schema extends ServerKeywords {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly $defs?: Definitions;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
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

type Definitions = Readonly<Record<string, Schema>>;

export interface Shape {
  readonly types: readonly string[] | null;
  readonly values: readonly unknown[] | null;
  readonly branches: readonly Shape[];
  readonly text: TextShape;
  readonly number: NumberShape;
  readonly must: string | null;
  readonly list: ListShape;
  readonly object: ObjectShape;
  readonly filledWith: unknown;
  readonly isAbsentWhenEmpty: boolean;
  readonly isAbsentWhenNull: boolean;
}

interface TextShape {
  readonly atLeast: number;
  readonly atMost: number;
  readonly pattern: RegExp | null;
  readonly description: string;
  readonly format: string | null;
  readonly reading: Reading | null;
}

interface NumberShape {
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly below: number;
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
  return shapeWithin(schema as Schema, {});
}

function shapeWithin(schema: Schema, around: Definitions): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const { $ref, $defs: definitions = around } = schema;
  const shape = $ref ? shapeAt($ref, definitions) : compile(schema, definitions);
  shapes.set(schema, shape);
  return shape;
}

function shapeAt(reference: string, definitions: Definitions): Shape {
  const definition = definitions[reference.replace('#/$defs/', '')];
  if (!definition) throw new Error(`a schema has no definition for ${reference}`);
  return shapeWithin(definition, definitions);
}

function compile(schema: Schema, definitions: Definitions): Shape {
  const within = (inner: Schema) => shapeWithin(inner, definitions);
  return {
    types: typesOf(schema),
    values: schema.enum ?? (schema.const === undefined ? null : [schema.const]),
    branches: (schema.anyOf ?? []).map(within),
    text: textOf(schema),
    number: {
      from: schema.minimum ?? Number.NEGATIVE_INFINITY,
      to: schema.maximum ?? Number.POSITIVE_INFINITY,
      above: schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY,
      below: schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY,
    },
    must: schema['~must'] ?? null,
    list: {
      atLeast: schema.minItems ?? 0,
      atMost: schema.maxItems ?? Number.POSITIVE_INFINITY,
      isUnique: schema.uniqueItems ?? false,
      element: schema.items ? within(schema.items) : null,
    },
    object: objectOf(schema, within),
    filledWith: schema['~fills'] ? schema.default : undefined,
    isAbsentWhenEmpty: schema['~emptyIsAbsent'] ?? false,
    isAbsentWhenNull: schema['~nullIsAbsent'] ?? false,
  };
}

function typesOf({ type, '~mayBeNull': mayBeNull }: Schema): string[] | null {
  if (type === undefined) return null;
  return mayBeNull ? [type, 'null'].flat() : [type].flat();
}

const patternOf = ({ pattern }: Schema): RegExp | null =>
  pattern === undefined ? null : new RegExp(pattern, 'u');

function textOf(schema: Schema): TextShape {
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

function objectOf(schema: Schema, within: (inner: Schema) => Shape): ObjectShape {
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
