import type { OAuthError } from '@servery/contract';
import { ApiError } from '../http/errors.ts';

/** Answers that hold a token or a word about one must not be kept (RFC 6749 section 5.1). */
export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

const BASIC_CHALLENGE = 'Basic realm="oauth", charset="UTF-8"';

/**
 * A refusal of an OAuth endpoint (RFC 6749 section 5.2, AUTH-6): 401 with a challenge for
 * `invalid_client`, else 400. The RFC allows no `"` and no `\` in its description.
 */
export function oauthRefused(oauthCode: OAuthError['error'], description: string): ApiError {
  return oauthCode === 'invalid_client'
    ? new ApiError('unauthorized', description, {
        oauthCode,
        headers: { ...noStore, 'www-authenticate': BASIC_CHALLENGE },
      })
    : new ApiError('badRequest', description, { oauthCode, headers: noStore });
}
