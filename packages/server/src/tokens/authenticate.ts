import type { Authenticate } from '../http/operation.ts';
import { type RefusalReason, TokenRefused } from './access-tokens.ts';
import { invalidToken } from './bearer.ts';
import { type InspectTokenDeps, inspectToken } from './inspect-token.ts';

// Constant texts, safe in a header, that never repeat any part of a token (AUTH-5).
const messages: Readonly<Record<RefusalReason, string>> = {
  malformed: 'The access token is malformed: send the accessToken of a login, unchanged.',
  unknownKey: 'The access token was signed with an unknown key: log in again.',
  badSignature: 'The access token was altered: send the accessToken of a login, unchanged.',
  foreign: 'The access token was not issued for this address: log in here.',
  expired: 'The access token has expired: log in again.',
  revoked: 'The access token was revoked: log in again.',
  secretRevoked: 'The secret that issued the access token was revoked: log in with another secret.',
  clientRevoked: 'The API account of the access token was revoked: ask the operator for another.',
};

/**
 * Throws ApiError `unauthorized` with an RFC 6750 challenge unless token and account are live
 * (AUTH-5). Gives the account as it is now (AUTH-9).
 */
export function createAuthenticate(deps: InspectTokenDeps): Authenticate {
  return async (bearerToken, nowMs) => {
    try {
      const { claims, client, scopes } = await inspectToken(deps, bearerToken, nowMs);
      const { revoked: _, ...account } = client;
      const tokenExpiresAtMs = claims.expiresAt * 1_000;
      return { ...account, scopes: new Set(scopes), tokenExpiresAtMs };
    } catch (error) {
      if (error instanceof TokenRefused) throw invalidToken(messages[error.reason], error);
      throw error;
    }
  };
}
