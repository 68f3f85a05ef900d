import { type SqlValue, Statement } from './sql.ts';

/** A statement as PostgreSQL gets it: its pieces put together, and the values of all of them. */
export interface FlatStatement {
  /** With `$1`, `$2`, … where the values go. */
  readonly text: string;
  readonly values: readonly Exclude<SqlValue, Statement<readonly unknown[]>>[];
}

/**
 * What a statement is made of so far: values and pieces, in their order. A template is there once
 * and has so many places, so that the same pieces in the same order are the same text, which is
 * worked out once.
 */
interface Shape {
  /** What it is with another value. */
  value?: Shape;
  /** What it is with another piece that begins, by its template. */
  readonly pieces: Map<TemplateStringsArray, Shape>;
  text?: string;
}

const shapes = new WeakMap<TemplateStringsArray, Shape>();

/** Puts a statement together of its template, with its values and those of the pieces in it. */
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

/** Collects the values, and gives the shape that the statement has behind them. */
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
