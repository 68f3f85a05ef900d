import { type Operation, type SchemaName, schemas } from '@servery/contract';
import { ApiError, type Fault } from '../errors.ts';

/** The keywords of a schema that this file reads. */
interface Shape {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number | undefined;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly propertyNames?: Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** What a schema says of sizes, and nothing else of it. Null where there is no limit. */
interface Limits {
  readonly characters: number | null;
  readonly elements: number | null;
  readonly element: Limits | null;
  readonly fields: readonly (readonly [name: string, limits: Limits])[];
  /** Of objects whose keys the sender makes. */
  readonly map: MapLimits | null;
}

interface MapLimits {
  readonly keys: number;
  readonly keyCharacters: number;
  readonly value: Limits;
}

/**
 * The limit of texts whose pattern, format or list of values bounds them already. What is longer
 * fits none of those, and only the rules of its operation say so: they must get no long text.
 */
const BOUNDED_CHARACTERS = 255;
/** More faults than this help nobody to find the first one. */
const FAULTS_AT_MOST = 100;
/** The faults that stand in the message too. */
const FAULTS_IN_MESSAGE = 3;

const limitsOf = new Map<Operation, { readonly body: Limits | null; readonly query: Limits }>();

/**
 * Checks the sizes of everything in a request that its operation's schemas name: lengths of texts,
 * and numbers of elements and keys (API-12). This comes before anything else looks at the texts, so
 * that what does has to be fast only within the limits. What no schema names is not looked at,
 * here or later. Throws ApiError with all faults, 100 at most: `unprocessable` where the operation
 * answers 422, else `badRequest`. It names places and numbers and never a value.
 */
export function checkLimits(
  operation: Operation,
  query: Readonly<Record<string, string | undefined>>,
  body: unknown,
): void {
  const known = limitsOf.get(operation) ?? compile(operation);
  const walk = new Walk();
  walk.check(query, known.query);
  if (known.body) walk.check(body, known.body);
  const { faults } = walk;
  if (faults.length === 0) return;
  const shown = faults
    .slice(0, FAULTS_IN_MESSAGE)
    .map(({ where, message }) => `${where} ${message}`);
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  const errorClass = operation.statuses.includes(422) ? 'unprocessable' : 'badRequest';
  throw new ApiError(errorClass, `The request is over a limit: ${shown.join('; ')}${more}.`, {
    faults,
  });
}

function compile(operation: Operation) {
  const { requestBody, queryParameters } = operation;
  const properties = Object.fromEntries(
    queryParameters.map(({ name, schema }) => [name, schema as Shape]),
  );
  const query = limitsIn({ type: 'object', properties });
  let body: Limits | null = null;
  // A text that is parsed later is checked by the schema of its document.
  if (requestBody && !requestBody.isParsedLater) {
    const shape = schemas[requestBody.schema as SchemaName] as unknown as Shape;
    const { maxItems } = requestBody;
    body = limitsIn(requestBody.array ? { type: 'array', items: shape, maxItems } : shape);
  }
  const compiled = { body, query };
  limitsOf.set(operation, compiled);
  return compiled;
}

function limitsIn(shape: Shape): Limits {
  const branches = (shape.anyOf ?? []).map(limitsIn);
  const types = [shape.type, shape.const === undefined ? null : 'string'].flat();
  const isText = types.includes('string') || (shape.enum !== undefined && !shape.type);
  const { items, properties = {}, additionalProperties: value, propertyNames } = shape;
  const own: Limits = {
    characters: isText ? (shape.maxLength ?? BOUNDED_CHARACTERS) : null,
    elements: shape.maxItems ?? null,
    element: items ? limitsIn(items) : null,
    fields: Object.entries(properties).map(([name, inner]) => [name, limitsIn(inner)] as const),
    map:
      typeof value === 'object'
        ? {
            keys: shape.maxProperties ?? Number.POSITIVE_INFINITY,
            keyCharacters: propertyNames?.maxLength ?? BOUNDED_CHARACTERS,
            value: limitsIn(value),
          }
        : null,
  };
  return branches.reduce(either, own);
}

/** The limits of a value that may be of one schema or of another one: within either is enough. */
function either(one: Limits, other: Limits): Limits {
  const fields = new Map(one.fields);
  for (const [name, limits] of other.fields) {
    const known = fields.get(name);
    fields.set(name, known ? either(known, limits) : limits);
  }
  return {
    characters: joined(one.characters, other.characters, Math.max),
    elements: joined(one.elements, other.elements, Math.max),
    element: joined(one.element, other.element, either),
    fields: [...fields],
    map: joined(one.map, other.map, eitherMap),
  };
}

function eitherMap(one: MapLimits, other: MapLimits): MapLimits {
  return {
    keys: Math.max(one.keys, other.keys),
    keyCharacters: Math.max(one.keyCharacters, other.keyCharacters),
    value: either(one.value, other.value),
  };
}

/** Null says nothing. */
function joined<Part>(
  one: Part | null,
  other: Part | null,
  join: (one: Part, other: Part) => Part,
): Part | null {
  return one === null || other === null ? (one ?? other) : join(one, other);
}

/** One walk through a value; where it is now, and what it found. */
class Walk {
  readonly faults: Fault[] = [];
  readonly #path: (string | number)[] = [];

  check(value: unknown, limits: Limits): void {
    if (typeof value === 'string') {
      const { characters } = limits;
      // A character takes one unit or two, and nearly every text is short.
      if (characters === null || value.length <= characters) return;
      const count = countCharacters(value);
      if (count > characters) this.#note(count, 'characters', characters);
    } else if (Array.isArray(value)) this.#checkList(value, limits);
    else if (typeof value === 'object' && value !== null) {
      const object = value as Readonly<Record<string, unknown>>;
      for (const [name, inner] of limits.fields) {
        if (Object.hasOwn(object, name)) this.#checkAt(name, object[name], inner);
      }
      if (limits.map) this.#checkMap(object, limits.map);
    }
  }

  #checkAt(step: string | number, value: unknown, limits: Limits): void {
    this.#path.push(step);
    this.check(value, limits);
    this.#path.pop();
  }

  #checkList(list: readonly unknown[], { elements, element }: Limits): void {
    if (elements !== null && list.length > elements) {
      this.#note(list.length, 'elements', elements);
      return;
    }
    if (!element) return;
    for (let at = 0; at < list.length && this.faults.length < FAULTS_AT_MOST; at += 1) {
      this.#checkAt(at, list[at], element);
    }
  }

  #checkMap(object: Readonly<Record<string, unknown>>, limits: MapLimits): void {
    const names = Object.keys(object);
    if (names.length > limits.keys) {
      this.#note(names.length, 'keys', limits.keys);
      return;
    }
    for (const [at, name] of names.entries()) {
      if (this.faults.length >= FAULTS_AT_MOST) return;
      // A key may be anything, a card number too, so only its number is told.
      const step = `<key ${at + 1}>`;
      this.#checkAt(step, object[name], limits.value);
      if (name.length <= limits.keyCharacters) continue;
      this.#path.push(step);
      this.#note(name.length, 'characters in its key', limits.keyCharacters);
      this.#path.pop();
    }
  }

  #note(count: number, what: string, limit: number): void {
    if (this.faults.length >= FAULTS_AT_MOST) return;
    this.faults.push({
      where: pathText(this.#path),
      message: `has ${count} ${what}; at most ${limit} are allowed`,
    });
  }
}

function pathText(path: readonly (string | number)[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? 'the body' : text.replace(/^\./, '');
}

/** Unicode characters, as JSON Schema counts them: a surrogate pair is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isLead = code >= 0xd800 && code <= 0xdbff;
    const next = isLead ? text.charCodeAt(at + 1) : 0;
    if (next >= 0xdc00 && next <= 0xdfff) at += 1;
    count += 1;
  }
  return count;
}
