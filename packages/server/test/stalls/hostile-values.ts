import { type SchemaName, schemas } from '@servery/contract';

/** The keywords of a schema that hostile values are made by. */
export interface Shape {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** What texts are made of that something may look at for too long, again and again to its end. */
export const TEXT_UNITS: Readonly<Record<string, string>> = {
  'digits and blanks': '4 ',
  digits: '4',
  'digits and dashes': '4-',
  'digits, two marks': '4. ',
  'digits and no-break blanks': '4\u00a0',
  'full-width digits': '\uff14',
  'percent-encoded digits': '%34',
  'digits in base64': 'NDEx',
  'digits and letters': '4a',
  'card numbers': '4111111111111111 ',
  'nearly card numbers': '4111 1111 1111 1112/',
  'combining marks': 'e\u0301\u0323',
  'pairs of surrogates': '\u{1f600}',
  'starts of tokens': 'eyJhbGciOi.',
  addresses: 'https://a#',
  blanks: ' ',
  letters: 'a',
  quotes: '"\\',
  commas: ',',
  'time zones': 'A/B_',
};

/** As much of the unit as fits into so many UTF-16 units. */
export function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** The schema of a resource. */
export const shapeOf = (name: SchemaName): Shape => schemas[name] as unknown as Shape;

const isFree = ({ type, format, pattern, enum: values, const: only }: Shape) =>
  [type].flat().includes('string') &&
  [format, pattern, values, only].every((keyword) => keyword === undefined);

/** The value with each free text, but those that are kept, at its limit, made of the unit. */
export function withLongTexts(
  value: unknown,
  shape: Shape,
  unit: string,
  kept: readonly string[] = [],
): unknown {
  if (isFree(shape) && typeof value === 'string' && shape.maxLength !== undefined) {
    return textOf(unit, shape.maxLength);
  }
  const inner = branchFor(value, shape);
  if (Array.isArray(value)) {
    return value.map((element) => withLongTexts(element, inner.items ?? {}, unit, kept));
  }
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.keys(inner.properties ?? {});
  const map = typeof inner.additionalProperties === 'object' ? inner.additionalProperties : {};
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    kept.includes(name) ? field : withLongTexts(field, inner.properties?.[name] ?? map, unit, kept),
  ]);
  const added = named
    .filter((name) => !Object.hasOwn(value, name) && isFree(inner.properties?.[name] ?? {}))
    .map((name) => [name, textOf(unit, inner.properties?.[name]?.maxLength ?? 0)]);
  return Object.fromEntries([...fields, ...added]);
}

/** The value with each list at its limit, all of one element, while it has `atMost` elements. */
export function withLongLists(value: unknown, shape: Shape, atMost: number): unknown {
  const inner = branchFor(value, shape);
  if (Array.isArray(value)) {
    const count = Math.min(inner.maxItems ?? value.length, atMost);
    const element = value[0] ?? 'x';
    return Array.from({ length: count }, () => element);
  }
  if (typeof value !== 'object' || value === null) return value;
  const lists = Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const of = branchFor([], field);
    return of.items && !Object.hasOwn(value, name) ? [[name, [sampleOf(of.items)]] as const] : [];
  });
  return Object.fromEntries(
    [...Object.entries(value), ...lists].map(([name, field]) => [
      name,
      withLongLists(field, inner.properties?.[name] ?? {}, atMost),
    ]),
  );
}

function sampleOf({ format, type }: Shape): unknown {
  if (format === 'uuid') return '5f0c1a2e-7b34-4d8a-9c61-0000000000aa';
  return [type].flat().includes('object') ? {} : 'x';
}

function branchFor(value: unknown, shape: Shape): Shape {
  const wanted = Array.isArray(value) ? 'array' : typeof value;
  return (shape.anyOf ?? []).find(({ type }) => [type].flat().includes(wanted)) ?? shape;
}

/** JSON texts of about so many bytes that are hard to read. */
export function hostileJson(bytes: number): Readonly<Record<string, string>> {
  const fill = (unit: string, less = 0) => textOf(unit, Math.max(bytes - less, 0));
  const whole = (unit: string) => unit.repeat(Math.floor((bytes - 40) / unit.length));
  const keys = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
  const wide = textOf('\uff14', Math.floor(bytes / 3) - 20);
  const lists = `[${keys(9_000)},`.repeat(Math.floor(bytes / 110_000));
  return {
    'a long text': `{"x":"${fill('4 ', 20)}"}`,
    'a long text of three-byte characters': `{"x":"${wide}"}`,
    'a long key': `{"${fill('a', 20)}":1}`,
    'a list of numbers': `[${whole('1,')}1]`,
    'a list of lists': `[${whole('[],')}[]]`,
    'a list of objects': `[${whole('{},')}{}]`,
    'a list of small objects': `[${whole('{"a":1},')}{}]`,
    'unknown elements': `{"x":[${whole('"",')}""]}`,
    'many keys': keys(Math.min(9_999, Math.floor(bytes / 12))),
    'objects of many keys': `${lists}1${']'.repeat(lists.split('[').length - 1)}`.slice(0, bytes),
    'too many keys': keys(Math.floor(bytes / 12)),
    'nested, again and again': `[${whole(`${'['.repeat(30)}${']'.repeat(30)},`)}[]]`,
    'too deep': fill('['),
    'a number of zeros': `{"x":1.${fill('0', 20)}1}`,
    'numbers of zeros': `[${whole(`1.${'0'.repeat(390)}1,`)}1]`,
    'large numbers': `[${whole('0.10000000000000000555,')}1]`,
    escapes: `{"x":"${whole('\\u0034')}"}`,
    'escapes of one letter': `{"x":"${whole('\\"')}"}`,
    'lines, and a fault': `${fill('\n', 2)}?`,
    'blanks alone': fill(' '),
    'a fault at its end': `[${whole('"4 ",')}`,
    'a key twice': `{"a":[${whole('1,')}1],"a":1}`,
  };
}
