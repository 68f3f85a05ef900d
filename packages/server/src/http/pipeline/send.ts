import type { IncomingMessage } from 'node:http';
import { brandedHeaders, type Operation } from '@servery/contract';
import { ReadyBody, type ReadyForm } from '../fast/ready-body.ts';
import type { Answer } from '../operation.ts';
import { chooseCoding, matchesEntityTag } from './encode.ts';
import type { Exchange } from './pipeline.ts';
import { continueTrace } from './trace.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Buffer | null;
  readonly plain: Buffer | null;
  readonly stream: AsyncIterable<string> | null;
}

const NO_BYTES = Buffer.alloc(0);
export const JSON_TYPE = 'application/json';

/**
 * Adds request id, trace and budget headers to every response (API-3, API-7), and entity tag, 304
 * and compression to reads (API-11). `Cache-Control`: one client's data is private and revalidated,
 * all else is not stored.
 */
export async function completeAnswer(
  brand: string,
  exchange: Exchange,
  answer: Answer,
): Promise<WireAnswer> {
  const status = answer.status ?? 200;
  const headers = { ...commonHeaders(brand, exchange), ...answer.headers };
  if (answer.stream) {
    // A stopping process waits for streams, and must not wait for idle connections after them.
    headers.connection = 'close';
    headers['cache-control'] ??= 'no-store';
    headers['content-type'] ??= exchange.operation?.mediaType ?? 'text/plain';
    return { status, headers, bytes: null, plain: null, stream: answer.stream };
  }
  const body = answer.ready?.value ?? new ReadyBody(bytesOf(answer));
  Object.assign(headers, body.headers);
  const { plain } = body;
  if (!isRevalidated(exchange) || status !== 200) {
    if (plain.length > 0) headers['content-type'] ??= JSON_TYPE;
    headers['cache-control'] ??= 'no-store';
    return { status, headers, bytes: plain, plain, stream: null };
  }
  const wanted = wantedForm(exchange.raw, body);
  // A client that has the body does not wait for compression.
  const isKnown = isKnownTo(exchange.raw, wanted);
  const form = isKnown || wanted.bytes ? wanted : await body.get(wanted.coding);
  for (const [name, text] of pairsOf(readHeaders(brand, exchange.operation, form, isKnown))) {
    headers[name] ??= text;
  }
  if (isKnown) {
    delete headers['content-type'];
    return { status: 304, headers, bytes: null, plain: null, stream: null };
  }
  return { status: 200, headers, bytes: form.bytes, plain, stream: null };
}

/** Some reads never answer the same twice. */
function isRevalidated({ operation }: Exchange): boolean {
  return operation?.responseHeaders.includes('ETag') === true;
}

export function wantedForm({ headers }: IncomingMessage, body: ReadyBody): ReadyForm {
  return body.formIn(chooseCoding(headers['accept-encoding'], body.plain.length));
}

export function isKnownTo({ headers }: IncomingMessage, { tag }: ReadyForm): boolean {
  return matchesEntityTag(headers['if-none-match'], tag);
}

export function readHeaders(
  brand: string,
  operation: Operation | null,
  { tag, coding, plain, ownHeaders }: ReadyForm,
  isKnown: boolean,
): string[] {
  const headers = [...ownHeaders, 'cache-control', 'private, no-cache'];
  headers.push('vary', `${varyingBy(operation)}, ${wireNames(brand).restaurant}`, 'etag', tag);
  if (isKnown) return headers;
  if (plain.length > 0) headers.push('content-type', JSON_TYPE);
  if (coding !== 'identity') headers.push('content-encoding', coding);
  return headers;
}

export function* pairsOf(headers: readonly string[]): Generator<[name: string, text: string]> {
  for (let at = 0; at < headers.length; at += 2) {
    yield [headers[at] as string, headers[at + 1] as string];
  }
}

/** The back office takes a person's cookie instead of a token. */
function varyingBy(operation: Operation | null): string {
  const isBackOffice = operation?.interface === 'backOffice';
  return `Accept-Encoding, Authorization${isBackOffice ? ', Cookie' : ''}`;
}

export function bytesOf(answer: Answer): Buffer {
  if (answer.ready) return answer.ready.value.plain;
  if (answer.bytes !== undefined) return Buffer.from(answer.bytes as string);
  return answer.json === undefined ? NO_BYTES : Buffer.from(JSON.stringify(answer.json));
}

export interface WireNames {
  readonly requestId: string;
  readonly rateLimitBy: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitReset: string;
  readonly restaurant: string;
}

const namesOfBrands = new Map<string, WireNames>();

export function wireNames(brand: string): WireNames {
  const known = namesOfBrands.get(brand);
  if (known) return known;
  const names = brandedHeaders(brand);
  const made = {
    requestId: names.requestId.toLowerCase(),
    rateLimitBy: names.rateLimitBy.toLowerCase(),
    rateLimitRemaining: names.rateLimitRemaining.toLowerCase(),
    rateLimitReset: names.rateLimitReset.toLowerCase(),
    restaurant: names.restaurantExternalId,
  };
  namesOfBrands.set(brand, made);
  return made;
}

function commonHeaders(brand: string, exchange: Exchange): Record<string, string> {
  const names = wireNames(brand);
  const headers: Record<string, string> = {
    [names.requestId]: exchange.requestId,
    'x-content-type-options': 'nosniff',
  };
  const { traceparent } = exchange.raw.headers;
  const trace = continueTrace(Array.isArray(traceparent) ? traceparent[0] : traceparent);
  if (trace) headers.traceparent = trace.traceparent;
  const { rate } = exchange;
  // The published login answer has no budget headers.
  if (rate && exchange.operation?.id !== 'auth.login') {
    headers[names.rateLimitBy] = rate.by;
    headers[names.rateLimitRemaining] = String(rate.remaining);
    headers[names.rateLimitReset] = String(rate.resetSeconds);
  }
  return headers;
}
