import { alwaysNull, type Fields, resources } from './resources.ts';

/** What a look at one answer gives: what breaks the contract, and which fields held a value. */
export interface Findings {
  /** Sentences with the place, empty when the answer keeps the contract. */
  readonly faults: string[];
  /** `Resource.field` for every field that held something but null or an empty array. */
  readonly seen: Set<string>;
}

/** An ISO 8601 instant with a zone. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;
/** UUID syntax of any version. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/;

/** Enums are in capitals; lower case is a scalar. */
const RESOURCE_NAME = /^[A-Z]\w*[a-z]\w*$/;

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  uuid: (value) => typeof value === 'string' && UUID.test(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  instant: (value) => typeof value === 'string' && INSTANT.test(value),
  time: (value) => typeof value === 'string' && TIME.test(value),
  object: (value) => isPlainObject(value),
  any: (value) => value !== undefined,
};

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function inspectFields(name: string, fields: Fields, value: unknown, at: string, into: Findings) {
  if (!isPlainObject(value)) {
    into.faults.push(`${at} is ${shown(value)}, not an object ${name}`);
    return;
  }
  const known = new Set<string>();
  for (const [key, type] of Object.entries(fields)) {
    const field = key.replace(/\?$/, '');
    known.add(field);
    const content = value[field];
    if (content === undefined) {
      if (!key.endsWith('?')) into.faults.push(`${at}.${field} of ${name} is not written (API-10)`);
      continue;
    }
    const empty = content === null || (Array.isArray(content) && content.length === 0);
    if (!empty) into.seen.add(`${name}.${field}`);
    if (content !== null && alwaysNull[`${name}.${field}`]) {
      into.faults.push(`${at}.${field} of ${name} is always null, not ${shown(content)}`);
    }
    inspectValue(type, content, `${at}.${field}`, into);
  }
  for (const field of Object.keys(value)) {
    if (known.has(field)) continue;
    into.faults.push(`${at}.${field} is no field of ${name} in acceptance/src/*resources.ts`);
  }
}

/**
 * Compares a value with a type in the notation of resources.ts. Adds to `into` a sentence for each
 * violation, and each field that held a value. `at` is the place for those sentences.
 */
function inspectValue(type: string, value: unknown, at: string, into: Findings): void {
  if (type.endsWith('?')) {
    if (value !== null) inspectValue(type.slice(0, -1), value, at, into);
    return;
  }
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) {
      into.faults.push(`${at} is ${shown(value)}, not an array`);
      return;
    }
    for (const [index, element] of value.entries()) {
      inspectValue(type.slice(0, -2), element, `${at}[${index}]`, into);
    }
    return;
  }
  if (type.endsWith('{}')) {
    if (!isPlainObject(value)) into.faults.push(`${at} is ${shown(value)}, not a map`);
    else {
      for (const [key, element] of Object.entries(value)) {
        inspectValue(type.slice(0, -2), element, `${at}.${key}`, into);
      }
    }
    return;
  }
  const fields = resources[type];
  if (fields) {
    inspectFields(type, fields, value, at, into);
    return;
  }
  if (RESOURCE_NAME.test(type)) {
    into.faults.push(`${type} is not described in acceptance/src/*resources.ts: add it`);
    return;
  }
  const fits =
    scalars[type]?.(value) ?? (typeof value === 'string' && type.split('|').includes(value));
  if (!fits) into.faults.push(`${at} is ${shown(value)}, not ${type}`);
}

/** Looks at a whole value; see `inspectValue`. */
export function inspect(type: string, value: unknown): Findings {
  const findings: Findings = { faults: [], seen: new Set() };
  inspectValue(type, value, '$', findings);
  return findings;
}
