import type { TSchema } from 'typebox';

export type Arrange = (value: unknown) => unknown;

/** What a schema says of the form of stored documents. */
export interface Form {
  /** Fields in order, defaults or null for missing ones (API-10), and nothing else. */
  readonly arrange: Arrange;
  /** True if `arrange` would change nothing. Much cheaper than `arrange`. */
  readonly isArranged: (value: unknown) => boolean;
  /**
   * An arranged document without what `arrange` fills in; undefined if that is everything. Stays
   * the same when the schema gets another optional field.
   */
  readonly withoutDefaults: Arrange;
}

interface Shape {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Puts a stored document into the contract's form. */
export function arranger(schema: TSchema): Arrange {
  return storedForm(schema).arrange;
}

export function storedForm(schema: object): Form {
  return formOf(schema);
}

function formOf(shape: Shape): Form {
  if (shape.const !== undefined) return constantForm(shape.const);
  if (shape.anyOf) return formOrNull(shape.anyOf);
  if (shape.properties) return objectForm(shape.properties);
  if (shape.items) {
    const form = listForm(formOf(shape.items));
    return isNullable(shape) ? orNullForm(form, []) : form;
  }
  if (typeof shape.additionalProperties === 'object') return mapForm(shape.additionalProperties);
  const fallback = shape.default ?? null;
  return {
    arrange: (value) => (value === undefined ? fallback : value),
    isArranged: (value) => value !== undefined,
    withoutDefaults: (value) => (value === fallback ? undefined : value),
  };
}

function constantForm(constant: unknown): Form {
  return {
    arrange: () => constant,
    isArranged: (value) => value === constant,
    withoutDefaults: () => undefined,
  };
}

function formOrNull(alternatives: readonly Shape[]): Form {
  const [wanted, ...others] = alternatives.filter((shape) => shape.type !== 'null');
  if (!wanted || others.length > 0) throw new Error('only "a value or null" can be arranged');
  return orNullForm(formOf(wanted), {});
}

function isNullable({ type }: Shape): boolean {
  return Array.isArray(type) && type.includes('null');
}

/** `empty` stands for a value that has nothing but defaults. */
function orNullForm({ arrange, isArranged, withoutDefaults }: Form, empty: object): Form {
  return {
    arrange: (value) => (value === null || value === undefined ? null : arrange(value)),
    isArranged: (value) => value === null || (value !== undefined && isArranged(value)),
    withoutDefaults: (value) => (value === null ? undefined : (withoutDefaults(value) ?? empty)),
  };
}

function objectForm(properties: Readonly<Record<string, Shape>>): Form {
  const fields = Object.entries(properties).map(([name, shape]) => [name, formOf(shape)] as const);
  return {
    arrange: (value) => {
      const stored = (value ?? {}) as Fields;
      const arranged: Record<string, unknown> = {};
      for (const [name, { arrange }] of fields) arranged[name] = arrange(stored[name]);
      return arranged;
    },
    isArranged: (value) => {
      if (typeof value !== 'object' || value === null) return false;
      const names = Object.keys(value);
      return (
        names.length === fields.length &&
        fields.every(
          ([name, { isArranged }], index) =>
            names[index] === name && isArranged((value as Fields)[name]),
        )
      );
    },
    withoutDefaults: (value) =>
      fieldsLeft(
        fields.map(([name, { withoutDefaults }]) => [
          name,
          withoutDefaults((value as Fields)[name]),
        ]),
      ),
  };
}

function listForm({ arrange, isArranged, withoutDefaults }: Form): Form {
  return {
    arrange: (value) => (Array.isArray(value) ? value.map((item) => arrange(item)) : []),
    isArranged: (value) => Array.isArray(value) && value.every(isArranged),
    withoutDefaults: (value) => {
      const items = value as readonly unknown[];
      return items.length === 0 ? undefined : items.map((item) => withoutDefaults(item) ?? null);
    },
  };
}

function mapForm(entryShape: Shape): Form {
  const { arrange, isArranged, withoutDefaults } = formOf(entryShape);
  const entriesOf = (value: unknown) => Object.entries((value ?? {}) as Fields);
  return {
    arrange: (value) =>
      Object.fromEntries(entriesOf(value).map(([key, entry]) => [key, arrange(entry)])),
    isArranged: (value) =>
      typeof value === 'object' && value !== null && Object.values(value).every(isArranged),
    withoutDefaults: (value) =>
      fieldsLeft(entriesOf(value).map(([key, entry]) => [key, withoutDefaults(entry) ?? null])),
  };
}

function fieldsLeft(entries: readonly (readonly [string, unknown])[]): Fields | undefined {
  const left = entries.filter(([, value]) => value !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
