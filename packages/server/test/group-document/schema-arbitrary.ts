import fc from 'fast-check';
import { anyCharacter, anyUrl } from '../../../support/test/any-character.ts';
import type { JsonSchema } from '../../src/document/field-schema.ts';

/** What a value may be that its schema alone cannot say, by the description of its schema. */
export type Special = (schema: JsonSchema) => fc.Arbitrary<unknown> | null;

/** Any text that JSON and the database can keep: every script, no NUL, no half of a pair. */
export const anyText = fc
  .string({ unit: anyCharacter, maxLength: 12 })
  .map((text) => text.toWellFormed().replaceAll('\u0000', '\n'));

/** Any value that the schema admits, its optional properties sometimes there. */
export function anyValue(schema: JsonSchema, special: Special): fc.Arbitrary<unknown> {
  const chosen = special(schema);
  if (chosen) return chosen;
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string];
  const value = Array.isArray(schema.enum)
    ? fc.constantFrom(...schema.enum)
    : valueOfType(types[0] ?? '', schema, special);
  return types.includes('null') ? fc.option(value, { nil: null }) : value;
}

function valueOfType(type: string, schema: JsonSchema, special: Special): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(bounds(schema, -(2 ** 31), 2 ** 31 - 1));
    case 'number':
      return numberOf(schema);
    case 'array':
      return fc.array(anyValue(schema.items ?? {}, special), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case 'object':
      return objectOf(schema, special);
    default:
      throw new Error(`no values for the schema ${JSON.stringify(schema)}`);
  }
}

function objectOf(schema: JsonSchema, special: Special): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const requiredKeys = schema.required ?? [];
  const values = properties.map(([name, property]) => [name, anyValue(property, special)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [...requiredKeys] });
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'uri') return anyUrl;
  if (schema.format === 'date-time') return anyInstant;
  if (schema.format === 'date') return anyInstant.map((instant) => instant.slice(0, 10));
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern));
  // A name must have something to see.
  return schema.minLength === undefined ? anyText : anyText.map((text) => `x${text}`);
}

const anyInstant = fc
  .date({
    min: new Date('1000-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

function bounds(schema: JsonSchema, least: number, most: number): { min: number; max: number } {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  return { min: minimum ?? (exclusiveMinimum ?? least - 1) + 1, max: maximum ?? most };
}

function numberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const { min, max } = bounds(schema, -1e12, 1e12);
  const least = schema.exclusiveMinimum === undefined ? min : Number(schema.exclusiveMinimum);
  const values =
    schema.format === 'float'
      ? fc.float(singles(least, max))
      : fc.double({ min: least, max, noNaN: true });
  // Minus zero is written as zero, so that it is no value of its own.
  return values.filter((value) => value !== schema.exclusiveMinimum).map((value) => value + 0);
}

function singles(min: number, max: number) {
  return { min: Math.fround(min), max: Math.fround(max), noNaN: true };
}
