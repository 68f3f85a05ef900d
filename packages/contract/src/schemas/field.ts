import type { Static, TOptional, TSchema, TUnsafe } from 'typebox';
import { Type } from './type.ts';

/**
 * What the server makes of a text before a handler gets it. A list of choices stands for a text
 * that names some of them, and handlers get those as a list. A text `asSent` has a format that its
 * handler checks.
 */
export type Reading = 'asSent' | 'instant' | 'trimmed' | 'words' | 'email' | readonly string[];

/** Keywords for the server alone: keywords with `~` are not published. */
export interface ServerKeywords {
  readonly '~reads'?: Reading;
  /** What a pattern, a range or a choice of formats demands, in words that go on after "must". */
  readonly '~must'?: string;
  /** Whether the default is filled in where the field is absent. */
  readonly '~fills'?: boolean;
  /** Whether an empty text counts as absent. */
  readonly '~emptyIsAbsent'?: boolean;
  /** Whether null counts as absent. */
  readonly '~nullIsAbsent'?: boolean;
  /** Whether null is allowed, which the published schema does not say. */
  readonly '~mayBeNull'?: boolean;
  /** Whether a required field may be left out by some callers: the handler demands it of others. */
  readonly '~mayBeAbsent'?: boolean;
  /** Fields of an object that are known and whose values are not looked at. */
  readonly '~ignored'?: readonly string[];
}

declare const read: unique symbol;

/** The schema of a text that handlers get as something else. */
export type TRead<Value> = TUnsafe<string> & { readonly [read]: Value };

/** Keywords that a field may add to those that its kind brings. */
type Keywords = Readonly<Record<string, unknown>> & ServerKeywords;

/** A string field; `description` says what it holds. */
export const text = (description: string, keywords: Keywords = {}) =>
  Type.String({ description, ...keywords });

/**
 * How many characters a text of a request may have, and how many elements a list (API-12). A request
 * beyond a limit is refused before anything else looks at its texts, so each limit is generous.
 */
export const limits = {
  /** Names and identifiers. */
  line: { maxLength: 255 },
  /** Descriptions and other texts that people write. */
  words: { maxLength: 2_000 },
  /** Addresses on the web. */
  address: { maxLength: 2_048 },
  /** An instant, with any fraction and offset. */
  instant: { maxLength: 64 },
  /** A secret of a client. */
  secret: { maxLength: 1_000 },
  /** References from one object of the configuration to others. */
  references: { maxItems: 10_000 },
  /** Small parts of one object, for example its pictures or the rows of its tax table. */
  parts: { maxItems: 1_000 },
} as const;

/** A name or an identifier: a text of at most 255 characters. */
export const line = (description: string, keywords: Keywords = {}) =>
  text(description, { ...limits.line, ...keywords });

/** A field that holds a GUID in its UUID form. */
export const uuid = (description: string, keywords: Keywords = {}) =>
  Type.String({ description, format: 'uuid', ...keywords });

/** A field that holds an instant as ISO 8601 with offset. */
export const dateTime = (description: string, keywords: Keywords = {}) =>
  Type.String({ description, format: 'date-time', ...keywords });

/** A field that is true or false. */
export const flag = (description: string, keywords: Keywords = {}) =>
  Type.Boolean({ description, ...keywords });

/** A whole number from 0 of at most 32 bits, if not told else; `description` names the unit. */
export const whole = (description: string, keywords: Keywords = {}) =>
  Type.Integer({ description, format: 'int32', minimum: 0, maximum: 2 ** 31 - 1, ...keywords });

/** An instant as a number; `description` names the unit. JSON numbers are exact up to 2^53. */
export const epoch = (description: string, keywords: Keywords = {}) =>
  Type.Integer({
    description,
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...keywords,
  });

/** A number with a fraction, as a double; `description` names the unit. */
export const decimal = (description: string, keywords: Keywords = {}) =>
  Type.Number({ description, format: 'double', ...keywords });

/** A field that holds one of the named values. */
export const choice = <const Values extends readonly string[]>(
  description: string,
  values: Values,
  keywords: Keywords = {},
) => Type.Unsafe<Values[number]>({ type: 'string', description, enum: values, ...keywords });

/** A text that is not blank; handlers get it without the blanks around it. */
export const trimmed = (description: string, keywords: Keywords = {}) =>
  text(description, { ...keywords, '~reads': 'trimmed' });

/** A text that a person writes, which is stored: handlers get it trimmed, without card numbers. */
export const words = (description: string, keywords: Keywords = {}) =>
  text(description, { ...keywords, '~reads': 'words' });

/** A text that holds an instant with any fraction and offset; handlers get it in UTC. */
export const instant = (description: string, keywords: Keywords = {}) =>
  text(description, { ...limits.instant, ...keywords, '~reads': 'instant' });

/** A text that names some of the values, separated by commas; handlers get a list. */
export const choices = <const Values extends readonly string[]>(
  description: string,
  values: Values,
  keywords: Keywords = {},
) => {
  const one = `(${values.join('|')})`;
  const pattern = `^${one}(,${one})*$`;
  return text(description, {
    ...{ pattern, maxLength: 1_000, ...keywords },
    '~reads': values,
  }) as unknown as TRead<Values[number][]>;
};

/** The schema of a field that is never absent where it is handled. */
export type TDefault<Schema extends TSchema> = TOptional<Schema> & { readonly default: unknown };

/** A field that may be left out; the server then fills in the value. */
export const withDefault = <Schema extends TSchema>(
  schema: Schema,
  // `Static<Schema>` here makes the type check several times slower.
  value: string | number | boolean,
) => Type.Optional({ ...schema, default: value, '~fills': true }) as unknown as TDefault<Schema>;

/** The schema of a required field that is absent where a caller may leave it out. */
export type TDemanded<Schema extends TSchema> = Schema & { readonly '~mayBeAbsent': true };

/** A required field that some callers may leave out: the handler demands it of the others. */
export const demandedByHandler = <Schema extends TSchema>(schema: Schema) =>
  ({ ...schema, '~mayBeAbsent': true }) as TDemanded<Schema>;

/**
 * A field that can lack a value, which is then written as null (API-10). A type becomes a pair of
 * types; an object is wrapped instead, so that it can still be named by reference.
 */
export function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  const open =
    type !== undefined && type !== 'object'
      ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
      : { anyOf: [schema, { type: 'null' }] };
  return Type.Unsafe<Static<Schema> | null>(description ? { ...open, description } : open);
}

/** A list; `description` says of what, and in which order when the order has a meaning. */
export const list = <Items extends TSchema>(
  items: Items,
  description: string,
  keywords: Keywords = {},
) => Type.Array(items, { description, ...keywords });

/** An object that we answer with: every field is listed and always written (API-10), no other. */
export const answer = <const Fields extends Record<string, TSchema>>(
  description: string,
  fields: Fields,
) => Type.Object(fields, { description, additionalProperties: false });

/**
 * An object that we are sent. The interfaces for partners ignore properties that we don't know (API-9),
 * the back office refuses them. `ignored` names those that are known and yet never looked at.
 */
export const request = <const Fields extends Record<string, TSchema>>(
  description: string,
  fields: Fields,
  ignored: readonly string[] = [],
) => Type.Object(fields, { description, ...(ignored.length > 0 && { '~ignored': ignored }) });
