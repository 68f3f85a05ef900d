import { type SqlValue, Statement } from './sql.ts';

/** A statement as PostgreSQL gets it: all pieces joined, with all their values. */
export interface FlatStatement {
  /** With `$1`, `$2`, … where the values go. */
  readonly text: string;
  readonly values: readonly Exclude<SqlValue, Statement<readonly unknown[]>>[];
}

/**
 * A node in a tree of the values and pieces that statements are made of, in order. The same pieces
 * in the same order make the same text, so it is computed once.
 */
interface Shape {
  /** Followed by a value. */
  value?: Shape;
  /** Followed by a piece, by its template. */
  readonly pieces: Map<TemplateStringsArray, Shape>;
  text?: string;
}

const shapes = new WeakMap<TemplateStringsArray, Shape>();

/** Joins a statement and the pieces in it. */
export function flatten(strings: TemplateStringsArray, values: readonly SqlValue[]): FlatStatement {
  const flat: FlatStatement['values'][number][] = [];
  const empty = shapes.get(strings) ?? newShape();
  shapes.set(strings, empty);
  const shape = walk(empty, values, flat);
  shape.text ??= textOf(strings, values, { places: 0 });
  return { text: shape.text, values: flat };
}

function newShape(): Shape {
  return { pieces: new Map() };
}

/** Collects the values and returns the shape at their end. */
function walk(from: Shape, values: readonly SqlValue[], flat: unknown[]): Shape {
  let shape = from;
  for (const value of values) {
    if (value instanceof Statement) {
      const begun = shape.pieces.get(value.strings) ?? newShape();
      shape.pieces.set(value.strings, begun);
      shape = walk(begun, value.values, flat);
    } else {
      flat.push(value);
      shape = shape.value ??= newShape();
    }
  }
  return shape;
}

function textOf(
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
  count: { places: number },
): string {
  const parts = [strings[0] ?? ''];
  for (const [index, value] of values.entries()) {
    if (value instanceof Statement) parts.push(textOf(value.strings, value.values, count));
    else parts.push(`$${++count.places}`);
    parts.push(strings[index + 1] ?? '');
  }
  return parts.join('');
}
