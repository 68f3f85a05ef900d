import type { TSchema } from 'typebox';

export type Arrange = (value: unknown) => unknown;

interface Shape {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * Puts a stored document into the contract's form: fields in order, defaults or null for missing
 * ones (API-10), and nothing else.
 */
export function arranger(schema: TSchema): Arrange {
  return arrangerOf(schema as Shape);
}

function arrangerOf(shape: Shape): Arrange {
  if (shape.const !== undefined) return () => shape.const;
  if (shape.anyOf) return orNull(shape.anyOf);
  if (shape.properties) return objectArranger(shape.properties);
  if (shape.items) {
    const arrangeItem = arrangerOf(shape.items);
    return (value) => (Array.isArray(value) ? value.map((item) => arrangeItem(item)) : []);
  }
  if (typeof shape.additionalProperties === 'object') {
    return mapArranger(shape.additionalProperties);
  }
  const fallback = shape.default ?? null;
  return (value) => (value === undefined ? fallback : value);
}

function orNull(alternatives: readonly Shape[]): Arrange {
  const [wanted, ...others] = alternatives.filter((shape) => shape.type !== 'null');
  if (!wanted || others.length > 0) throw new Error('only "a value or null" can be arranged');
  const arrange = arrangerOf(wanted);
  return (value) => (value === null || value === undefined ? null : arrange(value));
}

function objectArranger(properties: Readonly<Record<string, Shape>>): Arrange {
  const fields = Object.entries(properties).map(
    ([name, shape]) => [name, arrangerOf(shape)] as const,
  );
  return (value) => {
    const stored = (value ?? {}) as Readonly<Record<string, unknown>>;
    const arranged: Record<string, unknown> = {};
    for (const [name, arrange] of fields) arranged[name] = arrange(stored[name]);
    return arranged;
  };
}

function mapArranger(entryShape: Shape): Arrange {
  const arrange = arrangerOf(entryShape);
  return (value) => {
    const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
    return Object.fromEntries(entries.map(([key, entry]) => [key, arrange(entry)]));
  };
}
