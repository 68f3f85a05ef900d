import {
  deleteExpiredRevokedTokens,
  deleteGrant,
  insertRevokedToken,
} from '../../clients/grant-store.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type AccessTokens, TokenRefused } from '../access-tokens.ts';
import { authenticateClient, sentToken } from '../client-authentication.ts';
import type { LogInDeps } from '../log-in.ts';
import { noStore, oauthRefused } from '../oauth-refused.ts';

export interface RevokeDeps extends LogInDeps {
  readonly accessTokens: AccessTokens;
}

/**
 * The next login gets a new token (AUTH-6, AUTH-9). Ignores unknown and expired tokens. Throws
 * ApiError `invalid_grant` for another account's token (RFC 7009 section 2.1).
 */
export const revokeHandler =
  (deps: RevokeDeps): HandlerOf<'auth.revoke'> =>
  async (request) => {
    const { body, nowMs } = request;
    const { clientId } = (await authenticateClient(deps, request)).client;
    const claims = await deps.accessTokens
      .verify(sentToken(body), nowMs)
      .catch((error: unknown) => {
        if (error instanceof TokenRefused) return null;
        throw error;
      });
    if (claims && claims.clientId !== clientId) {
      throw oauthRefused('invalid_grant', 'The token was issued to another client.');
    }
    if (claims) {
      await deps.database.transaction(async (sql) => {
        await insertRevokedToken(sql, claims, nowMs);
        await deleteGrant(sql, clientId, claims.jti);
        await deleteExpiredRevokedTokens(sql, clientId, nowMs);
      });
    }
    return { json: {}, headers: noStore };
  };
