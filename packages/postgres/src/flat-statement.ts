import { type SqlValue, Statement } from './sql.ts';

/** A statement as PostgreSQL gets it: all pieces joined, with `$1`, `$2`, … for their values. */
export interface FlatStatement {
  readonly text: string;
  readonly values: readonly Exclude<SqlValue, Statement<readonly unknown[]>>[];
}

/**
 * The pieces of a statement so far, with null for a value. The same pieces in the same order make
 * the same text, which is joined once: it is long, and the driver looks it up for every statement.
 */
class Shape {
  text: string | undefined;
  readonly #longer = new Map<TemplateStringsArray | null, Shape>();

  with(next: TemplateStringsArray | null): Shape {
    const known = this.#longer.get(next) ?? new Shape();
    this.#longer.set(next, known);
    return known;
  }
}

const empty = new Shape();

export function flatten(strings: TemplateStringsArray, values: readonly SqlValue[]): FlatStatement {
  const flat: FlatStatement['values'][number][] = [];
  const walk = (from: Shape, pieces: TemplateStringsArray, given: readonly SqlValue[]): Shape => {
    let shape = from.with(pieces);
    for (const value of given) {
      if (value instanceof Statement) shape = walk(shape, value.strings, value.values);
      else {
        flat.push(value);
        shape = shape.with(null);
      }
    }
    return shape;
  };
  const shape = walk(empty, strings, values);
  shape.text ??= textOf(strings, values, { places: 0 });
  return { text: shape.text, values: flat };
}

function textOf(
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
  count: { places: number },
): string {
  const textOfEach = values.map((value, index) => {
    const isPiece = value instanceof Statement;
    const text = isPiece ? textOf(value.strings, value.values, count) : `$${++count.places}`;
    return text + strings[index + 1];
  });
  return [strings[0], ...textOfEach].join('');
}
