import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { type Clean, cleanText, cut, LEFT_OUT } from '../text/clean-text.ts';

/** How many characters of a header, a parameter or a part of a path are kept. */
const KEPT_CHARACTERS = 200;
const PATH_CHARACTERS = 500;
/** No operation has as many; only the beginning of a stray path is kept. */
const PATH_PARTS = 100;
const PARAMETERS = 50;
/** A longer part of a path that is no operation's may be a secret that went astray. */
const LONGEST_PART = 40;

/** The headers that may be kept; every other one is left out with its name. */
const requestHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'if-none-match',
  'last-event-id',
  'traceparent',
  'transfer-encoding',
  'user-agent',
]);
const answerHeaders = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'content-type',
  'etag',
  'retry-after',
  'vary',
  'www-authenticate',
]);
/** Headers of which only is told that they were there. */
const present = ['authorization', 'cookie', 'x-csrf-token'];
/** Of these the way is told, and not what follows. */
const SCHEME = /^(basic|bearer)\b/i;

/** The headers of a request as they may be kept; `restaurantHeader` in lower case. */
export function redactRequestHeaders(
  headers: IncomingHttpHeaders,
  restaurantHeader: string,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (present.includes(name)) kept[name] = presence(String(value));
    else if (requestHeaders.has(name) || name === restaurantHeader) {
      kept[name] = cut(cleanText(String(value)), KEPT_CHARACTERS);
    }
  }
  return kept;
}

/** The headers of an answer as they may be kept. */
export function redactAnswerHeaders(
  headers: Readonly<Record<string, unknown>>,
  clean: Clean,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!answerHeaders.has(lower)) continue;
    kept[lower] = cut(clean(String(value)), KEPT_CHARACTERS);
  }
  return kept;
}

function presence(value: string): string {
  const [scheme] = SCHEME.exec(value) ?? [];
  return scheme ? `${scheme} ${LEFT_OUT}` : LEFT_OUT;
}

/** The path as it may be kept: that of the operation with its parameters, without card numbers. */
export function redactPath(
  path: string,
  operation: Operation | null,
  params: Readonly<Record<string, string>>,
): string {
  if (!operation) {
    return cut(path.split('/', PATH_PARTS).map(strayPart).join('/'), PATH_CHARACTERS);
  }
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    cut(cleanText(params[name] ?? ''), KEPT_CHARACTERS),
  );
}

function strayPart(part: string): string {
  const decoded = decode(part);
  if (decoded === null) return LEFT_OUT;
  if (decoded.length > LONGEST_PART && parseGuid(decoded) === null) return LEFT_OUT;
  return cleanText(decoded);
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The query as it may be kept: values of parameters that the operation knows. */
export function redactQuery(search: string, operation: Operation | null): Record<string, string> {
  const known = new Set(Object.keys(operation?.query ?? {}));
  const kept: Record<string, string> = {};
  for (const [name, value] of [...new URLSearchParams(search)].slice(0, PARAMETERS)) {
    const shown = known.has(name) ? cut(cleanText(value), KEPT_CHARACTERS) : LEFT_OUT;
    kept[known.has(name) ? name : cut(cleanText(name), LONGEST_PART)] ??= shown;
  }
  return kept;
}
