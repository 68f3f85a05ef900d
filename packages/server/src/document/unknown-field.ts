import type { JsonSchema } from './field-schema.ts';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  null: 'null',
};

const FORMAT_RULES: Readonly<Record<string, string>> = {
  uuid: 'write a UUID, or leave it out and it is derived',
  'date-time': 'write a date and time with an offset, such as 2026-01-31T18:30:00Z',
  uri: 'write a whole address, such as https://example.com/picture.jpg',
  int32: 'write a number of at most 32 bits',
  float: 'write a number that is not beyond single precision',
  double: 'write a number that is not beyond double precision',
};

const SHOWN_CHARACTERS = 60;

/**
 * Says what is wrong with a value that does not have the shape of its schema, and what to do.
 * Takes the keyword that refused it, the keyword's parameters and the schema around it.
 */
export function shapeMessage(
  keyword: string,
  parameters: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  data: unknown,
): string {
  switch (keyword) {
    case 'required':
      return 'is missing; add it';
    case 'additionalProperties':
      return unknownField(
        String(parameters.additionalProperty),
        Object.keys(schema.properties ?? {}),
      );
    case 'propertyNames':
      return 'the keys here are numbers in double quotes, such as "1"; rename it';
    case 'type':
      return `must be ${typeNames(parameters.type)}, but is ${shown(data)}`;
    case 'enum':
      return `must be one of ${allowed(parameters.allowedValues)}, but is ${shown(data)}`;
    case 'const':
      return `must be ${shown(parameters.allowedValue)}, but is ${shown(data)}`;
    case 'format':
      return `${shown(data)} does not fit; ${FORMAT_RULES[String(parameters.format)]}`;
    case 'minLength':
      return 'is empty; write something';
    case 'maxItems':
      return `has ${[data].flat().length} elements; write at most ${parameters.limit}`;
    case 'maxProperties':
      return `has more than ${parameters.limit} fields; write fewer`;
    case 'maxLength':
      return `has ${String(data).length} characters; write at most ${parameters.limit}`;
    case 'uniqueItems':
      return `has the same value twice, at ${parameters.j} and ${parameters.i}; keep one`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${parameters.comparison} ${parameters.limit}, but is ${shown(data)}`;
    default:
      return `${shown(data)} does not fit. ${told(schema.description ?? `See ${keyword}`)}`;
  }
}

/** A value for a message: as JSON, cut short. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // A number such as 1e400 is JSON, but no double.
  const isBeyond = typeof value === 'number' && !Number.isFinite(value);
  const text = isBeyond ? 'a number beyond double precision' : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Without the stop at its end: whoever joins messages sets it. */
function told(description: unknown): string {
  return String(description).replace(/\.$/, '');
}

function typeNames(types: unknown): string {
  const names = (Array.isArray(types) ? types : [types]).map((type) => TYPE_NAMES[type] ?? type);
  return names.join(' or ');
}

function allowed(values: unknown): string {
  return (values as readonly unknown[]).map((value) => String(value)).join(', ');
}

/** Says of a field that nobody knows which of the known ones was meant, or which there are. */
export function unknownField(name: string, known: readonly string[]): string {
  const nearest = known.find((candidate) => isNear(candidate, name));
  return nearest
    ? `is no field here; perhaps "${nearest}" is meant`
    : `is no field here; remove it. Known are ${known.join(', ')}`;
}

/** True when two names differ in case only, or by at most two letters added, lost or changed. */
function isNear(candidate: string, name: string): boolean {
  // The name may be as long as the document: comparing it letter by letter would take minutes.
  if (Math.abs(candidate.length - name.length) > 2) return false;
  const [left, right] = [candidate.toLowerCase(), name.toLowerCase()];
  return left === right || editDistance(left, right) <= Math.min(2, left.length / 3);
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
