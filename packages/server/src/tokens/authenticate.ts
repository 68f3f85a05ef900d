import type { ApiError } from '../http/errors.ts';
import type { Authenticate } from '../http/operation.ts';
import { type RefusalReason, TokenRefused } from './access-tokens.ts';
import { invalidToken } from './bearer.ts';
import { type InspectTokenDeps, inspectToken } from './inspect-token.ts';
import type { Issuer } from './issuer.ts';

export interface AuthenticateDeps extends InspectTokenDeps {
  readonly issuer: Pick<Issuer, 'baseUrl'>;
}

// Constant texts, safe in a header, that never repeat any part of a token (AUTH-5).
const messages: Readonly<Record<Exclude<RefusalReason, 'foreign'>, string>> = {
  malformed: 'The access token is malformed: send the accessToken of a login, unchanged.',
  unknownKey: 'The access token was signed with an unknown key: log in again.',
  badSignature: 'The access token was altered: send the accessToken of a login, unchanged.',
  expired: 'The access token has expired: log in again.',
  revoked: 'The access token was revoked: log in again.',
  secretRevoked: 'The secret that issued the access token was revoked: log in with another secret.',
  clientRevoked: 'The API account of the access token was revoked: ask the operator for another.',
};

const instantOf = (seconds: number) => new Date(seconds * 1_000).toISOString();

export function tokenRefused(
  problem: keyof typeof messages,
  claims: TokenRefused['claims'],
): ApiError {
  return refused(problem, claims, messages[problem]);
}

function refused(
  problem: RefusalReason,
  claims: TokenRefused['claims'],
  message: string,
): ApiError {
  return invalidToken(message, {
    problem,
    clientId: claims?.clientId ?? null,
    issuedAt: claims && instantOf(claims.issuedAt),
    expiresAt: claims && instantOf(claims.expiresAt),
  });
}

/**
 * Throws ApiError `unauthorized` with an RFC 6750 challenge unless token and account are live
 * (AUTH-5). Gives the account as it is now (AUTH-9).
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  return async (bearerToken, nowMs) => {
    try {
      const { claims, client, scopes } = await inspectToken(deps, bearerToken, nowMs);
      const { revoked: _, ...account } = client;
      const tokenIssuedAtMs = claims.issuedAt * 1_000;
      const tokenExpiresAtMs = claims.expiresAt * 1_000;
      return { ...account, scopes: new Set(scopes), tokenIssuedAtMs, tokenExpiresAtMs };
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      const { reason, claims } = error;
      if (reason !== 'foreign') throw tokenRefused(reason, claims);
      const here = deps.issuer.baseUrl();
      // A restored environment has the keys of its snapshot, and none that were made after it.
      const message =
        'The access token was issued by another environment, or by this one before it was ' +
        `restored: log in at ${here}.`;
      throw refused(reason, claims, message);
    }
  };
}
