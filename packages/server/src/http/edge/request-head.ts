import type { IncomingMessage } from 'node:http';
import { brandedHeaders, csrfHeaderName, errorClasses } from '@servery/contract';
import { ApiError } from '../errors.ts';

export type RequestHead = Pick<
  IncomingMessage,
  'httpVersion' | 'httpVersionMajor' | 'headers' | 'rawHeaders'
>;

/** RFC 9110, 5.3: may stand in a request once. */
const SINGLE_HEADERS = [
  ...['Host', 'Authorization', 'Content-Type', 'Content-Length', 'Last-Event-ID'],
  csrfHeaderName,
];

/** RFC 3986; a request may leave the host empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Checks RFC 9110 and 9112. node:http keeps the first of two `Authorization` headers, but a proxy
 * may have used the second, so doubled headers are refused.
 */
export function requestHeadCheck(brand: string): (head: RequestHead) => ApiError | null {
  const names = [...SINGLE_HEADERS, brandedHeaders(brand).restaurantExternalId];
  const bits = new Map(names.map((name, at) => [name.toLowerCase(), 1 << at]));
  return ({ httpVersion, httpVersionMajor, headers, rawHeaders }) => {
    if (httpVersionMajor !== 1) {
      const { explanation } = errorClasses.versionNotSupported;
      return new ApiError('versionNotSupported', explanation, { headers: { connection: 'close' } });
    }
    let seen = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const bit = bits.get(rawHeaders[at]?.toLowerCase() ?? '') ?? 0;
      if (seen & bit) return badRequest(`There are several ${rawHeaders[at]} headers: send one.`);
      seen |= bit;
    }
    const { host, expect } = headers;
    if (host === undefined && httpVersion === '1.1') {
      return badRequest('There is no Host header: HTTP/1.1 requires one.');
    }
    if (host !== undefined && !HOST.test(host)) {
      return badRequest('The Host header is not valid: send a host name and an optional port.');
    }
    // In HTTP/1.0 the header means nothing (RFC 9110, 10.1.1).
    const isUnknown = expect !== undefined && expect.toLowerCase() !== '100-continue';
    if (!isUnknown || httpVersion !== '1.1') return null;
    return new ApiError(
      'expectationFailed',
      'The Expect header has an unsupported value: send "100-continue", or leave it out.',
      // The client may or may not send the body, so only a new connection is in step.
      { headers: { connection: 'close' } },
    );
  };
}

function badRequest(message: string): ApiError {
  return new ApiError('badRequest', message);
}
