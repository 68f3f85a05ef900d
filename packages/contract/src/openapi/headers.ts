import { type BrandedHeaders, brandedHeaders } from '../brand.ts';
import type { JsonSchema } from '../json-schema.ts';
import { isSuccess, type ResponseHeader } from '../operations/operation.ts';
import type { Operation } from '../operations.ts';

type DescribedHeader = ResponseHeader | 'Retry-After' | 'WWW-Authenticate';

const count: JsonSchema = { type: 'integer', format: 'int32', minimum: 0, maximum: 2 ** 31 - 1 };

const headers: Readonly<Record<DescribedHeader, { description: string; schema: JsonSchema }>> = {
  requestId: {
    description: 'Identifier of this request. Include it when you report a problem.',
    schema: { type: 'string', format: 'uuid' },
  },
  rateLimitBy: {
    description: 'What the rate limit counts by, for example the client and the restaurant.',
    schema: { type: 'string' },
  },
  rateLimitRemaining: { description: 'Remaining requests in the window.', schema: count },
  rateLimitReset: {
    description: 'When the window ends, in seconds since the epoch.',
    schema: { ...count, format: 'int64', maximum: Number.MAX_SAFE_INTEGER },
  },
  nextPageToken: {
    description: 'Token of the next page; absent on the last page.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'Identifies this content. Send it as If-None-Match to get the content only if it ' +
      'changed.',
    schema: { type: 'string' },
  },
  Link: {
    description: 'Addresses of the first and the next page (RFC 8288).',
    schema: { type: 'string' },
  },
  'Set-Cookie': {
    description: 'Sets or clears the session cookie of the browser.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: count },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what was wrong (RFC 6750).',
    schema: { type: 'string' },
  },
};

const byStatus: Readonly<Record<number, DescribedHeader>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
};

export const headerComponents = (): JsonSchema => headers;

export function responseHeaders(operation: Operation, status: number, brand: string): JsonSchema {
  const extra = byStatus[status];
  const roles: DescribedHeader[] = operation.responseHeaders.filter((role) =>
    carries(role, status),
  );
  const wire: Partial<BrandedHeaders> = brandedHeaders(brand);
  const named = [...roles, ...(extra ? [extra] : [])].map((role) => [
    wire[role as keyof BrandedHeaders] ?? role,
    { $ref: `#/components/headers/${role}` },
  ]);
  return Object.fromEntries(named);
}

function carries(role: ResponseHeader, status: number): boolean {
  if (role === 'ETag') return status === 200 || status === 304;
  const isOfSuccess = role === 'Link' || role === 'nextPageToken' || role === 'Set-Cookie';
  return !isOfSuccess || isSuccess(status);
}
