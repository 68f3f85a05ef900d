import type { TSchema } from 'typebox';

/** Puts a value into the wire form that its schema describes. */
export type Arrange = (value: unknown) => unknown;

/** The JSON Schema keywords that the contract's answers are made of. */
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
 * Makes, once for a schema of the contract, the function that puts a stored document into the
 * contract's form: fields in its order, every field there, the schema's default or null where a
 * value is lacking (decisions API-10), and nothing that the contract does not name.
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
