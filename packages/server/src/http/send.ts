import { brandedHeaders } from '@servery/contract';
import { chooseCoding, encode, entityTag, matchesEntityTag } from './encode.ts';
import type { Answer } from './operation.ts';
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

/**
 * Completes an answer: request id, trace and budget headers on every response (C3, C7), a strong
 * entity tag, 304 and compression on reads that can hold (C11), and `Cache-Control`: what belongs
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
  const bytes = bytesOf(answer);
  if (bytes.length > 0) headers['content-type'] ??= 'application/json';
  if (!isRevalidated(exchange) || status !== 200) {
    headers['cache-control'] ??= 'no-store';
    return { status, headers, bytes, plain: bytes, stream: null };
  }
  return completeRead(brand, exchange, headers, bytes);
}

/** Reads, but for the few whose answer is another one each time. */
function isRevalidated({ operation }: Exchange): boolean {
  return operation?.responseHeaders.includes('ETag') === true;
}

async function completeRead(
  brand: string,
  exchange: Exchange,
  headers: Record<string, string>,
  bytes: Buffer,
): Promise<WireAnswer> {
  const { raw } = exchange;
  const coding = chooseCoding(raw.headers['accept-encoding'], bytes.length);
  headers['cache-control'] ??= 'private, no-cache';
  const restaurantHeader = brandedHeaders(brand).restaurantExternalId;
  headers.vary ??= `${varyingBy(exchange)}, ${restaurantHeader}`;
  headers.etag = entityTag(bytes, coding);
  if (matchesEntityTag(raw.headers['if-none-match'], headers.etag)) {
    delete headers['content-type'];
    return { status: 304, headers, bytes: null, plain: null, stream: null };
  }
  const encoded = await encode(bytes, coding);
  if (encoded.coding !== 'identity') headers['content-encoding'] = encoded.coding;
  return { status: 200, headers, bytes: encoded.bytes, plain: bytes, stream: null };
}

/** What an answer hangs on; the back office takes a person's cookie in place of a token. */
function varyingBy({ operation }: Exchange): string {
  const isBackOffice = operation?.interface === 'backOffice';
  return `Accept-Encoding, Authorization${isBackOffice ? ', Cookie' : ''}`;
}

function bytesOf(answer: Answer): Buffer {
  if (answer.bytes !== undefined) return Buffer.from(answer.bytes as string);
  return answer.json === undefined ? NO_BYTES : Buffer.from(JSON.stringify(answer.json));
}

function commonHeaders(brand: string, exchange: Exchange): Record<string, string> {
  const names = brandedHeaders(brand);
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
