import {
  bodyBytesAtMost,
  exampleOf,
  type Operation,
  operations,
  parametersOf,
  type SchemaName,
} from '@servery/contract';
import {
  hostileJson,
  type Shape,
  shapeOf,
  TEXT_UNITS,
  textOf,
  withLongLists,
  withLongTexts,
} from './hostile-values.ts';

/** A request that may hold the server, as far as it differs from a plain one. */
export interface HostileRequest {
  /** What is hostile about it. */
  readonly input: string;
  readonly query?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined for that of a plain request. */
  readonly body?: string;
}

/** Node reads 16 KB of request line and headers. */
const HEADER_CHARACTERS = 14_000;
const FORM = 'application/x-www-form-urlencoded';
/** The units of the short run: what stopped the server once, or is the worst of its kind. */
const FEW_UNITS: readonly string[] = ['digits and blanks', 'nearly card numbers'];
/** The same of whole bodies. All operations read JSON in the same way: one gets every shape. */
const FEW_BODIES: readonly string[] = ['a long text', 'a list of small objects', 'too many keys'];
const GETS_EVERY_SHAPE = 'creditCards.authorize';
const SMALL_BYTES = 65_536;

/** A payment whose other texts are long is carried out. */
const CHECKED_LATER = ['keyId', 'encryptedCardData', 'postalCode'];

/** What headers are made of. */
const HEADER_UNITS: Readonly<Record<string, readonly string[]>> = {
  authorization: ['Bearer a.', 'Basic aaaa', 'a', ' '],
  cookie: ['a=b; ', 'backoffice_session=a.b;', ';'],
  'accept-encoding': ['a,', 'gzip;q=0.1,', ',', 'br;'],
  'if-none-match': ['"a",', 'W/"', '"'],
  'x-forwarded-for': ['1.1.1.1,', '::1,', ','],
  traceparent: ['00-', '0'],
  'content-type': ['application/json;', ';charset=', 'a/'],
  'user-agent': ['4 ', '4'],
  'accept-language': ['4 ', 'a;q='],
  'last-event-id': ['1.', '4'],
  'x-csrf-token': ['a'],
};

/** Everything hostile that an operation can be sent within the limits; `isShort` for the worst. */
export function* hostileRequests(
  operation: Operation,
  plainBody: unknown,
  isShort: boolean,
): Generator<HostileRequest> {
  const all = Object.entries(TEXT_UNITS);
  const few = all.filter(([name]) => FEW_UNITS.includes(name));
  const units = isShort ? few : all;
  yield* hostileQueries(operation, few);
  yield* hostilePaths(operation, few);
  // All operations read headers in the same way.
  if (!isShort || isFirstOfInterface(operation)) yield* hostileHeaders(operation);
  const { requestBody } = operation;
  if (!requestBody) return;
  const bytes = requestBody.maxBytes ?? bodyBytesAtMost;
  const isForm = requestBody.contentTypes.includes(FORM);
  if (isForm) yield* hostileForms(requestBody.schema, bytes, units);
  else yield* hostileBodies(operation, { plainBody, bytes, units, isShort });
}

function isFirstOfInterface({ id, interface: of }: Operation): boolean {
  return operations.find((each) => each.interface === of)?.id === id;
}

function* hostileQueries(
  { query }: Operation,
  units: readonly (readonly [string, string])[],
): Generator<HostileRequest> {
  const texts = parametersOf(query).filter(
    ({ schema }) => (schema as Shape).maxLength !== undefined,
  );
  for (const [name, unit] of units) {
    for (const { name: parameter, schema } of texts) {
      const value = textOf(unit, (schema as Shape).maxLength ?? 0);
      // A text that takes three bytes a character does not fit at its limit.
      const query = `${parameter}=${encodeURIComponent(value)}`.slice(0, HEADER_CHARACTERS);
      if (!/%[0-9A-F]?$/.test(query)) yield { input: `${parameter} of ${name}`, query };
    }
  }
  yield { input: 'many parameters', query: textOf('a&b=%34&', HEADER_CHARACTERS) };
}

function* hostilePaths(
  { params: schemasOfPath }: Operation,
  units: readonly (readonly [string, string])[],
): Generator<HostileRequest> {
  for (const name of Object.keys(schemasOfPath).slice(-1)) {
    for (const [shape, unit] of units) {
      const value = textOf(unit, HEADER_CHARACTERS / 3).toWellFormed();
      const params = { [name]: value };
      if (encodeURIComponent(value).length > HEADER_CHARACTERS) continue;
      yield { input: `${name} of ${shape}`, params };
    }
  }
}

function* hostileHeaders(operation: Operation): Generator<HostileRequest> {
  // Without a body a sound path would do what the operation is for, many times.
  const last = Object.keys(operation.params).at(-1);
  const isRead = operation.method === 'GET' || operation.requestBody !== null;
  if (!isRead && !last) return;
  const params = isRead || !last ? {} : { params: { [last]: 'none' } };
  for (const [header, units] of Object.entries(HEADER_UNITS)) {
    for (const unit of units) {
      const headers = { [header]: textOf(unit, HEADER_CHARACTERS).trim() };
      yield { input: `${header} of ${JSON.stringify(unit)}`, headers, ...params, body: '{}' };
    }
  }
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, '4 4']));
  yield { input: 'many headers', headers: many, ...params, body: '{}' };
}

function* hostileForms(
  schema: SchemaName,
  bytes: number,
  units: readonly (readonly [string, string])[],
): Generator<HostileRequest> {
  const fields = Object.entries(shapeOf(schema).properties ?? {});
  for (const [name, unit] of units) {
    for (const [field, { maxLength = 0 }] of fields) {
      const form = new URLSearchParams({ grant_type: 'client_credentials' });
      form.set(field, textOf(unit, maxLength));
      yield { input: `${field} of ${name}`, body: form.toString().slice(0, bytes) };
    }
  }
  for (const unit of ['a&', 'a=b&', '%', '%34', '+', '=', 'a%00&', 'scope=a+']) {
    yield { input: `a form of ${JSON.stringify(unit)}`, body: textOf(unit, bytes) };
  }
  yield { input: 'a form beyond its limit', body: textOf('a&', bytes * 40) };
}

/** What hostile bodies of an operation are made with. */
interface BodyParts {
  readonly plainBody: unknown;
  readonly bytes: number;
  readonly units: readonly (readonly [string, string])[];
  readonly isShort: boolean;
}

function* hostileBodies(
  { requestBody, id }: Operation,
  { plainBody, bytes, units, isShort }: BodyParts,
): Generator<HostileRequest> {
  if (!requestBody) return;
  const shape: Shape = requestBody.array
    ? { type: 'array', items: shapeOf(requestBody.schema), maxItems: requestBody.maxItems ?? 1 }
    : shapeOf(requestBody.schema);
  const example = plainBody ?? exampleOf(requestBody, 'Platform');
  const fits = (body: string) => Buffer.byteLength(body) <= bytes;
  yield { input: 'a plain request', body: JSON.stringify(example) };
  for (const [name, unit] of units) {
    const body = JSON.stringify(withLongTexts(example, shape, unit));
    if (fits(body)) yield { input: `texts of ${name}`, body };
    // In a small body only the longest texts and lists of its own fields ever took long.
    if (isShort && bytes <= SMALL_BYTES) continue;
    const kept = JSON.stringify(withLongTexts(example, shape, unit, CHECKED_LATER));
    if (fits(kept)) yield { input: `other texts of ${name}`, body: kept };
    const long = textOf(unit, Math.floor(bytes / 2 / Buffer.byteLength(unit)) * unit.length);
    const sound = Array.isArray(example) ? example[0] : example;
    yield { input: `a field nobody knows of ${name}`, body: inShape(shape, sound, { q: long }) };
  }
  for (const count of isShort ? [5_000] : [100, 1_000, 5_000, 10_000, 20_000]) {
    const body = JSON.stringify(withLongLists(example, shape, count));
    if (fits(body) && !isShort) yield { input: `lists of up to ${count}`, body };
    const long = JSON.stringify(withLongTexts(withLongLists(example, shape, count), shape, '4 '));
    if (fits(long)) yield { input: `lists of up to ${count}, long texts`, body: long };
    const empty = JSON.stringify(Array.from({ length: count }, () => ({})));
    if (requestBody.array && fits(empty)) yield { input: `${count} empty elements`, body: empty };
  }
  // The clock would move with each of them.
  if (id.startsWith('backOffice.clock.')) return;
  if (isShort && bytes <= SMALL_BYTES) return;
  const isFew = isShort && id !== GETS_EVERY_SHAPE;
  const chosen = (size: number) =>
    Object.entries(hostileJson(size)).filter(([input]) => !isFew || FEW_BODIES.includes(input));
  for (const [input, body] of chosen(bytes)) yield { input, body };
  if (isShort) return;
  const values = chosen(bytes - 200).filter(([, text]) => isJson(text));
  for (const [input, text] of values) {
    for (const name of Object.keys(shape.properties ?? {}).slice(0, 3)) {
      yield { input: `${name}: ${input}`, body: `{${JSON.stringify(name)}:${text}}` };
    }
  }
}

function inShape({ type }: Shape, sound: unknown, more: object): string {
  const object = { ...(sound as object), ...more };
  return JSON.stringify(type === 'array' ? [object] : object);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
