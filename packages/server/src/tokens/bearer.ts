import { ApiError } from '../http/errors.ts';

const REALM = 'api';

// RFC 6750 section 2.1: the scheme, spaces, one b64token.
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const BARE_TOKEN = /^[A-Za-z0-9\-_]+\.[A-Za-z0-9\-_]+\.[A-Za-z0-9\-_]*$/;

export type BearerError = 'invalid_token' | 'insufficient_scope';

/**
 * RFC 6750 section 3. Without an error it only asks for a token, as it must when none was sent.
 * `description` must be constant, without quotation marks and backslashes.
 */
export function bearerChallenge(error?: BearerError, description?: string, scope?: string): string {
  const parts = [`realm="${REALM}"`];
  if (error) parts.push(`error="${error}"`);
  if (description) parts.push(`error_description="${description}"`);
  if (scope) parts.push(`scope="${scope}"`);
  return `Bearer ${parts.join(', ')}`;
}

/** The text is also the `error_description` (AUTH-5). */
export function invalidToken(message: string, cause?: unknown): ApiError {
  return new ApiError('unauthorized', message, {
    headers: { 'www-authenticate': bearerChallenge('invalid_token', message) },
    cause,
  });
}

/**
 * Ignores the scheme's case (AUTH-5). Throws ApiError `unauthorized` when the header is missing,
 * has another scheme or none, or isn't one token.
 */
export function parseAuthorization(header: string | undefined): string {
  if (header === undefined || header.trim() === '') {
    throw new ApiError(
      'unauthorized',
      'The Authorization header is missing: send "Authorization: Bearer <accessToken>".',
      { headers: { 'www-authenticate': bearerChallenge() } },
    );
  }
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return token;
  if (BARE_TOKEN.test(header.trim())) {
    throw invalidToken(
      'The Authorization header is a token without its scheme: put Bearer before it.',
    );
  }
  if (!/^bearer\b/i.test(header)) {
    throw new ApiError(
      'unauthorized',
      'The Authorization header names another scheme: send "Authorization: Bearer <accessToken>".',
      { headers: { 'www-authenticate': bearerChallenge() } },
    );
  }
  throw invalidToken('The Authorization header is malformed: send Bearer, a blank and one token.');
}
