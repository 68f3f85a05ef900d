import { ApiError } from '../http/errors.ts';
import type { RefusalNotes } from '../http/notes.ts';

const REALM = 'api';

// RFC 6750 section 2.1: the scheme, spaces, one b64token.
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const BARE_TOKEN = /^[A-Za-z0-9\-_]+\.[A-Za-z0-9\-_]+\.[A-Za-z0-9\-_]*$/;

interface UnauthorizedOptions {
  readonly headers?: Record<string, string>;
  readonly errorClass?: 'unauthorized' | 'secondFactorRequired';
  readonly token?: RefusalNotes['token'];
}

/** RFC 6750 section 3: only asks for a token, as it must when none was sent. */
export function unauthorized(
  message: string,
  { headers = {}, errorClass = 'unauthorized', token }: UnauthorizedOptions = {},
): ApiError {
  const challenge = `Bearer realm="${REALM}"`;
  return new ApiError(errorClass, message, {
    headers: { ...headers, 'www-authenticate': challenge },
    ...(token && { notes: { token } }),
  });
}

/**
 * The text is also the `error_description` (AUTH-5): it must be constant, without quotation marks
 * and backslashes.
 */
export function invalidToken(message: string, token: NonNullable<RefusalNotes['token']>): ApiError {
  const challenge = `Bearer realm="${REALM}", error="invalid_token", error_description="${message}"`;
  return new ApiError('unauthorized', message, {
    headers: { 'www-authenticate': challenge },
    notes: { token },
  });
}

/**
 * Ignores the scheme's case (AUTH-5). Throws ApiError `unauthorized` when the header is missing,
 * has another scheme or none, or isn't one token.
 */
export function parseAuthorization(header: string | undefined): string {
  if (header === undefined || header.trim() === '') {
    throw unauthorized(
      'The Authorization header is missing: send "Authorization: Bearer <accessToken>".',
      { token: { problem: 'missing' } },
    );
  }
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return token;
  if (BARE_TOKEN.test(header.trim())) {
    throw invalidToken(
      'The Authorization header is a token without its scheme: put Bearer before it.',
      { problem: 'malformed' },
    );
  }
  if (!/^bearer\b/i.test(header)) {
    throw unauthorized(
      'The Authorization header names another scheme: send "Authorization: Bearer <accessToken>".',
      { token: { problem: 'malformed' } },
    );
  }
  throw invalidToken('The Authorization header is malformed: send Bearer, a space and one token.', {
    problem: 'malformed',
  });
}
