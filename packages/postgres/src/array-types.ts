interface DriverType {
  readonly to: number;
  readonly from: number[];
  readonly serialize: (value: unknown) => unknown;
  readonly parse: (text: string) => unknown;
}

type ParseElement = (text: string) => unknown;

const ARRAYS: readonly (readonly [name: string, type: number, parse: ParseElement])[] = [
  ['smallints', 1005, Number],
  ['integers', 1007, Number],
  ['texts', 1009, String],
  ['numerics', 1231, String],
  ['uuids', 2951, String],
];

/**
 * How arrays are read and written. By itself the driver asks each database for its array types and
 * ignores how that ends, so that a connection lost meanwhile ends the whole process.
 */
export const arrayTypes: Readonly<Record<string, DriverType>> = Object.fromEntries(
  ARRAYS.map(([name, type, parse]) => [
    name,
    {
      ...{ to: type, from: [type], serialize: arrayText },
      parse: (text: string) => parseArray(text, parse),
    },
  ]),
);

function arrayText(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return `{${value.map(elementText).join(',')}}`;
}

function elementText(value: unknown): string {
  if (value === null) return 'null';
  return `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`;
}

const ELEMENT = /(?:"((?:[^"\\]|\\.)*)"|([^",{}]+))[,}]/gsy;

/** Reads an array of one dimension. Throws an Error for any other. */
export function parseArray(text: string, parse: ParseElement): unknown[] {
  if (text === '{}') return [];
  const elements: unknown[] = [];
  ELEMENT.lastIndex = 1;
  while (ELEMENT.lastIndex < text.length) {
    const [, quoted, plain = ''] = ELEMENT.exec(text) ?? unreadable(text);
    if (quoted !== undefined) elements.push(parse(quoted.replaceAll(/\\(.)/gs, '$1')));
    else elements.push(plain === 'NULL' ? null : parse(plain));
  }
  return elements;
}

function unreadable(text: string): never {
  throw new Error(
    `PostgreSQL answered an array that is not of one dimension: ${text.slice(0, 80)}`,
  );
}
