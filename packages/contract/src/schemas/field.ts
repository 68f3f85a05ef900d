import type { Static, TOptional, TSchema, TUnsafe } from 'typebox';
import { Type } from './type.ts';

/**
 * How the server reads a text before a handler gets it. A list stands for `choices`. An `asSent`
 * text is unchanged, and the handler checks its format. An `anyInstant` may have more than three
 * decimals, which are cut.
 */
export type Reading =
  | 'asSent'
  | 'instant'
  | 'anyInstant'
  | 'trimmed'
  | 'words'
  | 'wholeWords'
  | 'email'
  | readonly string[];

/** Keywords with `~` are not published. */
export interface ServerKeywords {
  readonly '~reads'?: Reading;
  /** Continues the sentence after "must". */
  readonly '~must'?: string;
  readonly '~fills'?: boolean;
  readonly '~emptyIsAbsent'?: boolean;
  readonly '~nullIsAbsent'?: boolean;
  /** The published schema does not allow null. */
  readonly '~mayBeNull'?: boolean;
  /** The handler demands the field of the other callers. */
  readonly '~mayBeAbsent'?: boolean;
  /** Known fields whose values are not checked. */
  readonly '~ignored'?: readonly string[];
  readonly '~ignoresUnknown'?: boolean;
  /** The text is a code, number or address, which may look like a card number by chance. */
  readonly '~identifier'?: boolean;
}

declare const read: unique symbol;

export type TRead<Value> = TUnsafe<string> & { readonly [read]: Value };

type Keywords = Readonly<Record<string, unknown>> & ServerKeywords;

export const text = (description: string, keywords: Keywords = {}) =>
  Type.String({ description, ...keywords });

/**
 * A request beyond a limit is refused before its texts are checked, so limits are generous
 * (API-12).
 */
export const limits = {
  line: { maxLength: 255 },
  words: { maxLength: 2_000 },
  address: { maxLength: 2_048 },
  instant: { maxLength: 64 },
  secret: { maxLength: 1_000 },
  references: { maxItems: 10_000 },
  parts: { maxItems: 1_000 },
} as const;

export const line = (description: string, keywords: Keywords = {}) =>
  text(description, { ...limits.line, ...keywords });

/**
 * Configuration and group documents are refused when a text has a card number (PAY-I7), unless it
 * is an identifier.
 */
export const identifier = (description: string, keywords: Keywords = {}) =>
  text(description, { ...limits.line, ...keywords, '~identifier': true });

export const REFERENCE_TEXT = "The other's GUID, its key, or its name when only one has that name.";

/** To another object of the configuration: its GUID, once it is stored. */
export const reference = (description: string) =>
  identifier(`${description} ${REFERENCE_TEXT}`, { minLength: 1 });

export const uuid = (description: string, keywords: Keywords = {}) =>
  Type.String({ description, format: 'uuid', ...keywords });

export const dateTime = (description: string, keywords: Keywords = {}) =>
  Type.String({ description, format: 'date-time', ...keywords });

export const flag = (description: string, keywords: Keywords = {}) =>
  Type.Boolean({ description, ...keywords });

/** 32 bits from 0 by default; `description` names the unit. */
export const whole = (description: string, keywords: Keywords = {}) =>
  Type.Integer({ description, format: 'int32', minimum: 0, maximum: 2 ** 31 - 1, ...keywords });

/** `description` names the unit. JSON numbers are exact up to 2^53. */
export const epoch = (description: string, keywords: Keywords = {}) =>
  Type.Integer({
    description,
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...keywords,
  });

export const decimal = (description: string, keywords: Keywords = {}) =>
  Type.Number({ description, format: 'double', ...keywords });

export const money = (description: string) =>
  decimal(`${description}, in currency units.`, { minimum: 0 });

export const choice = <const Values extends readonly string[]>(
  description: string,
  values: Values,
  keywords: Keywords = {},
) => Type.Unsafe<Values[number]>({ type: 'string', description, enum: values, ...keywords });

/** Read without surrounding blanks. */
export const trimmed = (description: string, keywords: Keywords = {}) =>
  text(description, { ...keywords, '~reads': 'trimmed' });

/** For texts that are stored: read trimmed and without card numbers. */
export const words = (description: string, keywords: Keywords = {}) =>
  text(description, { ...keywords, '~reads': 'words' });

/** Also refuses half a surrogate pair, which `words` replaces. */
export const wholeWords = (description: string, keywords: Keywords = {}) =>
  text(description, { ...keywords, '~reads': 'wholeWords' });

/** Read as an instant in UTC. */
export const instant = (description: string, keywords: Keywords = {}) =>
  text(description, { ...limits.instant, ...keywords, '~reads': 'instant' });

/** Read as a list. */
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

export type TDefault<Schema extends TSchema> = TOptional<Schema> & { readonly default: unknown };

export const withDefault = <Schema extends TSchema>(
  schema: Schema,
  // `Static<Schema>` here makes the type check several times slower.
  value: string | number | boolean,
) => Type.Optional({ ...schema, default: value, '~fills': true }) as unknown as TDefault<Schema>;

/** Null counts as absent. */
export const optional = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional({ ...schema, '~nullIsAbsent': true });

export type TDemanded<Schema extends TSchema> = Schema & { readonly '~mayBeAbsent': true };

export const demandedByHandler = <Schema extends TSchema>(schema: Schema) =>
  ({ ...schema, '~mayBeAbsent': true }) as TDemanded<Schema>;

/**
 * Written as null without a value (API-10). Wraps objects, so that they can still be named by
 * reference.
 */
export function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  const open =
    type !== undefined && type !== 'object'
      ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
      : { anyOf: [schema, { type: 'null' }] };
  return Type.Unsafe<Static<Schema> | null>(description ? { ...open, description } : open);
}

export const list = <Items extends TSchema>(
  items: Items,
  description: string,
  keywords: Keywords = {},
) => Type.Array(items, { description, ...keywords });

/** Every field is listed and always written (API-10). */
export const answer = <const Fields extends Record<string, TSchema>>(
  description: string,
  fields: Fields,
) => Type.Object(fields, { description, additionalProperties: false });

/**
 * Partner interfaces ignore unknown properties (API-9); the back office refuses them, except in an
 * `openRequest`. `ignored` names known ones that are not checked.
 */
export const request = <const Fields extends Record<string, TSchema>>(
  description: string,
  fields: Fields,
  ignored: readonly string[] = [],
) => Type.Object(fields, { description, ...(ignored.length > 0 && { '~ignored': ignored }) });

export const openRequest = <const Fields extends Record<string, TSchema>>(
  description: string,
  fields: Fields,
) => Type.Object(fields, { description, '~ignoresUnknown': true });
