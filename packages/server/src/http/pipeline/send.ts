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
  const { requestId, raw, rate, operation } = exchange;
  // The published login answer has no budget headers.
  const shownRate = operation?.id === 'auth.login' ? null : rate;
  const common = commonHeaders(wireNames(brand), requestId, raw, shownRate);
  const headers = { ...Object.fromEntries(pairsOf(common)), ...answer.headers };
  if (answer.stream) {
    // A stopping process waits for streams, and must not wait for idle connections after them.
    headers.connection = 'close';
    headers['cache-control'] ??= 'no-store';
    headers['content-type'] ??= operation?.mediaType ?? 'text/plain';
    return { status, headers, bytes: null, plain: null, stream: answer.stream };
  }
  const body = answer.ready?.value ?? new ReadyBody(bytesOf(answer));
  Object.assign(headers, body.headers);
  const { plain } = body;
  if (!isRevalidated(operation) || status !== 200) {
    if (plain.length > 0) headers['content-type'] ??= JSON_TYPE;
    headers['cache-control'] ??= 'no-store';
    return { status, headers, bytes: plain, plain, stream: null };
  }
  const wanted = wantedForm(raw, body);
  // A client that has the body does not wait for compression.
  const isKnown = isKnownTo(raw, wanted);
  const form = isKnown || wanted.bytes ? wanted : await body.get(wanted.coding);
  for (const [name, text] of pairsOf(readHeaders(brand, operation, form, isKnown))) {
    headers[name] ??= text;
  }
  if (isKnown) {
    delete headers['content-type'];
    return { status: 304, headers, bytes: null, plain: null, stream: null };
  }
  return { status: 200, headers, bytes: form.bytes, plain, stream: null };
}

/** Some reads never answer the same twice. */
function isRevalidated(operation: Operation | null): boolean {
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
  headers.push(
    'vary',
    `${varyingBy(operation)}, ${brandedHeaders(brand).restaurantExternalId}`,
    'etag',
    tag,
  );
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

export type WireNames = ReturnType<typeof brandedHeaders>;

const namesOfBrands = new Map<string, WireNames>();

/** In lower case. */
export function wireNames(brand: string): WireNames {
  const known = namesOfBrands.get(brand);
  if (known) return known;
  const names = Object.entries(brandedHeaders(brand)).map(([key, name]) => [
    key,
    name.toLowerCase(),
  ]);
  const made = Object.fromEntries(names) as WireNames;
  namesOfBrands.set(brand, made);
  return made;
}

export function commonHeaders(
  names: WireNames,
  requestId: string,
  { headers: { traceparent } }: IncomingMessage,
  rate: Exchange['rate'],
): string[] {
  const headers = [names.requestId, requestId, 'x-content-type-options', 'nosniff'];
  const trace = continueTrace(traceparent);
  if (trace) headers.push('traceparent', trace.traceparent);
  if (rate) {
    headers.push(names.rateLimitBy, rate.isOfOperation ? 'ENDPOINT' : rate.by);
    headers.push(names.rateLimitRemaining, String(rate.remaining));
    headers.push(names.rateLimitReset, String(rate.resetSeconds));
  }
  return headers;
}
