import type { Reading, ServerKeywords } from '@servery/contract';

/** The keywords of a schema that are read here. */
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

/** What a schema demands, in the form that is quick to go by. */
export interface Shape {
  /** Null for any. */
  readonly types: readonly string[] | null;
  /** Null for any. */
  readonly values: readonly unknown[] | null;
  /** One of them has to fit; empty for none. */
  readonly branches: readonly Shape[];
  readonly text: TextShape;
  readonly number: NumberShape;
  /** What the pattern or the range demands, in words that go on after "must"; null for none. */
  readonly must: string | null;
  readonly list: ListShape;
  readonly object: ObjectShape;
  /** What is filled in where the value is absent; undefined for nothing. */
  readonly filledWith: unknown;
  readonly isAbsentWhenEmpty: boolean;
  readonly isAbsentWhenNull: boolean;
}

interface TextShape {
  readonly atLeast: number;
  readonly atMost: number;
  readonly pattern: RegExp | null;
  /** What the text holds, to be told beside the pattern. */
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
  /** Names that are known and not looked at. */
  readonly ignored: ReadonlySet<string>;
  /** Of objects whose names the sender makes; null for others. */
  readonly map: MapShape | null;
  /** Whether the schema allows any name. */
  readonly isOpen: boolean;
}

/** What is demanded of an object whose names the sender makes. */
export interface MapShape {
  readonly keys: number;
  /** Null for any. */
  readonly keyPattern: RegExp | null;
  readonly keyCharacters: number;
  readonly value: Shape;
}

/**
 * The limit of texts that a pattern, a format or a list of values bounds already. A longer one fits
 * none of them, and is refused before anything looks at it (API-12).
 */
const BOUNDED_CHARACTERS = 255;

const shapes = new WeakMap<object, Shape>();

/** Gives what a schema demands; made when it is first asked for. */
export function shapeOf(schema: object): Shape {
  return shapeWithin(schema as Schema, {});
}

/** A reference leads to one of the definitions, which stand at the root of a schema. */
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
    isOpen: values === true || (schema.properties === undefined && values === undefined),
  };
}
