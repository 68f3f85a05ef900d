import {
  brandedHeaders,
  type LoggedRequestDetails,
  type Operation,
  operations,
} from '@servery/contract';
import { type DocumentPath, pathText } from '../../document/faults.ts';
import { ApiError } from '../../http/errors.ts';
import type { Faults } from '../../http/faults.ts';
import { LEFT_OUT } from '../../text/clean-text.ts';
import { type CardChoice, chooseCard, putCard } from './card.ts';
import { findPlace, headersSent, type RequestPlace, WHOLE_BODY } from './places.ts';
import type { TestCard } from './ports.ts';

export interface Rebuilt {
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  /** Those of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for none. */
  readonly body: unknown;
  /** The test card whose data is still to be encrypted into the body. */
  readonly card: CardChoice | null;
}

export interface Changes {
  readonly set: Readonly<Record<string, unknown>>;
  readonly card: string | undefined;
}

interface Draft {
  params: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  /** Places whose value the log doesn't have. */
  missing: RequestPlace[];
}

/** How the log marks a text that it cut. */
const CUT = /… \[\d+ more characters\]$/;

export const operationOf = ({ operation: id }: Pick<LoggedRequestDetails, 'operation'>) =>
  operations.find((operation) => operation.id === id) ?? null;

/** Throws ApiError `conflict` for what can't be sent again, whatever is changed. */
export function refuseUnrepeatable(
  { path }: LoggedRequestDetails,
  operation: Operation | null,
): void {
  if (!operation) {
    if (!isSpoilt(path)) return;
    throw new ApiError('conflict', 'The log left out a part of the path of this request.');
  }
  const { id, mediaType, security, requestBody } = operation;
  if (mediaType === 'text/event-stream' || mediaType === 'application/x-ndjson') {
    throw new ApiError(
      'conflict',
      `${id} is a stream, and the log doesn't keep what a stream sends: there is nothing to ` +
        'compare.',
    );
  }
  if (security === 'none' && requestBody) {
    throw new ApiError(
      'conflict',
      `${id} proves who the caller is with a secret, and the log has no secrets: log in again ` +
        'instead.',
    );
  }
}

/** Notes a fault for each value that is wrong or missing, and throws them as ApiError. */
export function rebuild(
  logged: LoggedRequestDetails,
  { set, card: asked }: Changes,
  { brand, cards, faults }: { brand: string; cards: readonly TestCard[]; faults: Faults },
): Rebuilt {
  const operation = operationOf(logged);
  const draft = draftOf(logged, operation, brand);
  if (Object.hasOwn(set, WHOLE_BODY)) draft.body = set[WHOLE_BODY];
  const card = chooseCard(logged, operation, { asked, set, cards }, faults);
  if (card) draft.missing = putCard(draft, card);
  const { query } = draft;
  const given = Object.entries(set).flatMap(([text, value]) => {
    const place = findPlace({ brand, operation, query, body: draft.body }, text);
    const fault = typeof place === 'string' ? place : put(draft, place, value);
    if (fault !== null) faults.add(['set', text], fault);
    return typeof place === 'string' ? [] : [place];
  });
  for (const place of draft.missing) {
    if (given.some((one) => covers(one, place))) continue;
    faults.add(['set', nameOf(place)], whyMissing(place, logged));
  }
  faults.refuse();
  const { params, headers, body } = draft;
  return {
    operation,
    method: logged.method,
    path: pathOf(logged, operation, draft),
    params,
    headers,
    body,
    card,
  };
}

function draftOf(logged: LoggedRequestDetails, operation: Operation | null, brand: string): Draft {
  const { requestHeaders, query } = logged;
  const params = operation ? paramsOf(operation, logged.path) : {};
  const headers = Object.fromEntries(
    headersSent(brand).flatMap((header) => {
      const name = header.toLowerCase();
      const text = requestHeaders[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
  // No response of an unknown path depends on its query.
  const draft: Draft = {
    ...{ params, query: operation ? { ...query } : {}, headers },
    ...{ body: undefined, missing: [] },
  };
  const { missing } = draft;
  for (const kind of ['params', 'query'] as const) {
    for (const [name, text] of Object.entries(draft[kind])) {
      if (isSpoilt(text) || (text === '' && kind === 'params')) missing.push({ kind, name });
    }
  }
  const restaurant = brandedHeaders(brand).restaurantExternalId.toLowerCase();
  for (const [name, text] of Object.entries(headers)) {
    if (!isSpoilt(text)) continue;
    // No response depends on the others.
    if (name === restaurant) missing.push({ kind: 'header', name });
    delete headers[name];
  }
  if (operation?.requestBody) readBody(draft, logged);
  return draft;
}

/** An empty text for a parameter that the log doesn't have. */
function paramsOf(operation: Operation, path: string): Record<string, string> {
  const names = operation.path.split('/');
  const parts = path.split('/');
  const isWhole = parts.length === names.length;
  return Object.fromEntries(
    names.flatMap((part, at) => {
      const [, name] = /^\{(.+)\}$/.exec(part) ?? [];
      return name === undefined ? [] : [[name, isWhole ? (parts[at] ?? '') : '']];
    }),
  );
}

function readBody(draft: Draft, { requestBody, requestHeaders }: LoggedRequestDetails): void {
  const length = requestHeaders['content-length'] ?? '0';
  const hadBody = length !== '0' || requestHeaders['transfer-encoding'] !== undefined;
  if (requestBody === null) {
    if (hadBody) draft.missing.push({ kind: 'body', path: [] });
    return;
  }
  const body = parsed(requestBody);
  if (body === undefined || hasSpoiltName(body)) {
    draft.missing.push({ kind: 'body', path: [] });
    return;
  }
  draft.body = body;
  for (const path of spoiltIn(body, [])) draft.missing.push({ kind: 'body', path });
}

/** Undefined for what is cut off or not kept. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSpoilt(text: string): boolean {
  return text.includes(LEFT_OUT) || CUT.test(text);
}

function spoiltIn(value: unknown, path: DocumentPath): DocumentPath[] {
  if (typeof value === 'string') return value.includes(LEFT_OUT) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) =>
    spoiltIn(inner, [...path, isList ? Number(name) : name]),
  );
}

function hasSpoiltName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) => name.includes(LEFT_OUT) || hasSpoiltName(inner),
  );
}

function whyMissing(place: RequestPlace, { requestBody }: LoggedRequestDetails): string {
  if (place.kind !== 'body') return 'is required: the log left its value out or cut it off';
  if (place.path.length > 0) return 'is required: the log left its value out';
  const give = 'is required: give the whole body as JSON, because the log';
  if (requestBody === null) return `${give} has none: a check before it refused the request`;
  return requestBody.startsWith('[') && !requestBody.startsWith('[{')
    ? `${give} has only this of it: ${requestBody}`
    : `${give} cut it off`;
}

const nameOf = (place: RequestPlace) =>
  place.kind === 'body' ? pathText(place.path) || WHOLE_BODY : place.name;

/** Also by a part of it, or by what it is a part of. */
function covers(given: RequestPlace, missing: RequestPlace): boolean {
  if (given.kind !== 'body' || missing.kind !== 'body') {
    return given.kind === missing.kind && nameOf(given) === nameOf(missing);
  }
  const { path } = missing;
  if (path.length === 0) return given.path.length === 0;
  return given.path.slice(0, path.length).every((step, at) => step === path[at]);
}

/** Null, or why it can't be. */
function put(draft: Draft, place: RequestPlace, value: unknown): string | null {
  if (place.kind === 'body') return putInBody(draft, place.path, value);
  const { kind, name } = place;
  const values = kind === 'header' ? draft.headers : draft[kind];
  if (value === null && kind !== 'params') {
    delete values[name];
    return null;
  }
  if (typeof value === 'object' || value === undefined)
    return 'must be text, a number, or true or false';
  const text = String(value);
  if (text === '' && kind === 'params') return 'must not be empty';
  if (kind === 'header' && /[^\t\x20-\x7e]/.test(text)) return 'must be printable ASCII text';
  values[name] = text;
  return null;
}

function putInBody(draft: Draft, path: DocumentPath, value: unknown): string | null {
  // It is there already: others are fields of it.
  if (path.length === 0) return null;
  const holder = { body: draft.body } as Record<string | number, unknown>;
  let at = holder;
  let last: string | number = 'body';
  for (const step of path) {
    const inner = at[last];
    const isNone = typeof inner !== 'object' || inner === null;
    if (isNone) at[last] = typeof step === 'number' ? [] : {};
    at = at[last] as typeof holder;
    if (Array.isArray(at) !== (typeof step === 'number'))
      return 'names a field of a list, or an element of an object';
    if (Array.isArray(at) && Number(step) > at.length) {
      return `must be an element of the list, which has ${at.length}, or the next one`;
    }
    last = step;
  }
  Object.defineProperty(at, last, { value, enumerable: true, writable: true, configurable: true });
  draft.body = holder.body;
  return null;
}

function pathOf(
  logged: LoggedRequestDetails,
  operation: Operation | null,
  { params, query }: Draft,
): string {
  const path = operation
    ? operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
        encodeURIComponent(params[name] ?? ''),
      )
    : logged.path.split('/').map(encodeURIComponent).join('/');
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}
