import type { IncomingMessage } from 'node:http';
import { brandedHeaders, type Operation } from '@servery/contract';
import { ReadyBody, type ReadyForm } from '../fast/ready-body.ts';
import type { Answer } from '../operation.ts';
import { chooseCoding, matchesEntityTag } from './encode.ts';
import type { Exchange } from './pipeline.ts';
import { continueTrace } from './trace.ts';

/** An answer as it goes on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Buffer | null;
  /** The body before compression; null where nothing is sent, and for a stream. */
  readonly plain: Buffer | null;
  /** Sent instead of bytes. */
  readonly stream: AsyncIterable<string> | null;
}

const NO_BYTES = Buffer.alloc(0);
/** The media type of every body that names none. */
export const JSON_TYPE = 'application/json';

/**
 * Completes an answer: request id, trace and budget headers on every response (API-3, API-7), a strong
 * entity tag, 304 and compression on reads that can hold (API-11), and `Cache-Control`: what belongs
 * to one client stays private and is revalidated, everything else is not stored.
 */
export async function completeAnswer(
  brand: string,
  exchange: Exchange,
  answer: Answer,
): Promise<WireAnswer> {
  const status = answer.status ?? 200;
  const headers = { ...commonHeaders(brand, exchange), ...answer.headers };
  if (answer.stream) {
    // A process that stops waits for streams, and must not wait for an idle connection after them.
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
  // Whoever has it already is not waited for.
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

/** Reads, but for the few whose answer is another one each time. */
function isRevalidated({ operation }: Exchange): boolean {
  return operation?.responseHeaders.includes('ETag') === true;
}

/** The form of a body that a request wants; its bytes may not be made yet. */
export function wantedForm({ headers }: IncomingMessage, body: ReadyBody): ReadyForm {
  return body.formIn(chooseCoding(headers['accept-encoding'], body.plain.length));
}

/** Whether whoever asks says that he has the form already. */
export function isKnownTo({ headers }: IncomingMessage, { tag }: ReadyForm): boolean {
  return matchesEntityTag(headers['if-none-match'], tag);
}

/**
 * The headers of a read's answer that are the same each time, names and values in turn: `isKnown`
 * for a 304.
 */
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

/** Names and values in turn, as pairs. */
export function* pairsOf(headers: readonly string[]): Generator<[name: string, text: string]> {
  for (let at = 0; at < headers.length; at += 2) {
    yield [headers[at] as string, headers[at + 1] as string];
  }
}

/** What an answer hangs on; the back office takes a person's cookie in place of a token. */
function varyingBy(operation: Operation | null): string {
  const isBackOffice = operation?.interface === 'backOffice';
  return `Accept-Encoding, Authorization${isBackOffice ? ', Cookie' : ''}`;
}

/** The body of an answer. */
export function bytesOf(answer: Answer): Buffer {
  if (answer.ready) return answer.ready.value.plain;
  if (answer.bytes !== undefined) return Buffer.from(answer.bytes as string);
  return answer.json === undefined ? NO_BYTES : Buffer.from(JSON.stringify(answer.json));
}

/** Names of headers as they go on the wire, made once for a brand. */
export interface WireNames {
  readonly requestId: string;
  readonly rateLimitBy: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitReset: string;
  /** The header of a request that names the restaurant, as it is written. */
  readonly restaurant: string;
}

const namesOfBrands = new Map<string, WireNames>();

/** The names of headers for a brand. */
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
  // The login's answer is published without budget headers.
  if (rate && exchange.operation?.id !== 'auth.login') {
    headers[names.rateLimitBy] = rate.by;
    headers[names.rateLimitRemaining] = String(rate.remaining);
    headers[names.rateLimitReset] = String(rate.resetSeconds);
  }
  return headers;
}
