import type { OAuthError } from '@servery/contract';
import { ApiError } from '../http/errors.ts';

/** Tokens and answers about them must not be cached (RFC 6749 section 5.1). */
export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

const BASIC_CHALLENGE = 'Basic realm="oauth", charset="UTF-8"';

/**
 * 401 with a challenge for `invalid_client`, else 400 (RFC 6749 section 5.2, AUTH-6). The RFC
 * forbids `"` and `\` in the description.
 */
export function oauthRefused(oauthCode: OAuthError['error'], description: string): ApiError {
  return oauthCode === 'invalid_client'
    ? new ApiError('unauthorized', description, {
        oauthCode,
        headers: { ...noStore, 'www-authenticate': BASIC_CHALLENGE },
      })
    : new ApiError('badRequest', description, { oauthCode, headers: noStore });
}
