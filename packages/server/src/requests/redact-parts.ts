import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { type Clean, cleanText, cut, LEFT_OUT } from '../text/clean-text.ts';

const KEPT_CHARACTERS = 200;
const PATH_CHARACTERS = 500;
/** No operation has this many; other paths are cut. */
const PATH_PARTS = 100;
const PARAMETERS = 50;
/** A longer part of an unknown path may be a misplaced secret. */
const LONGEST_PART = 40;

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
/** Only their presence is logged. */
const present = ['authorization', 'cookie', 'x-csrf-token'];
/** Only the scheme is logged, never what follows. */
const SCHEME = /^(basic|bearer)\b/i;

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

export function redactQuery(search: string, operation: Operation | null): Record<string, string> {
  const known = new Set(Object.keys(operation?.query ?? {}));
  const kept: Record<string, string> = {};
  for (const [name, value] of [...new URLSearchParams(search)].slice(0, PARAMETERS)) {
    const shown = known.has(name) ? cut(cleanText(value), KEPT_CHARACTERS) : LEFT_OUT;
    kept[known.has(name) ? name : cut(cleanText(name), LONGEST_PART)] ??= shown;
  }
  return kept;
}
