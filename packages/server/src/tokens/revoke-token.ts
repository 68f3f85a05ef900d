import {
  deleteExpiredRevokedTokens,
  deleteGrant,
  insertRevokedToken,
} from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import { type AccessTokens, TokenRefused } from './access-tokens.ts';
import { oauthRefused } from './oauth-refused.ts';

/** What revoking needs. */
export interface RevokeTokenDeps {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
}

/**
 * Ends a token of the account at once (RFC 7009); the next login gets a new one (AUTH-6, AUTH-9). A token
 * that is unknown or has expired is as good as revoked, so nothing happens. Throws ApiError
 * `invalid_grant` when it belongs to another account (RFC 7009 section 2.1).
 */
export async function revokeToken(
  deps: RevokeTokenDeps,
  clientId: string,
  token: string,
  nowMs: number,
): Promise<void> {
  const claims = await deps.accessTokens.verify(token, nowMs).catch((error: unknown) => {
    if (error instanceof TokenRefused) return null;
    throw error;
  });
  if (!claims) return;
  if (claims.clientId !== clientId) {
    throw oauthRefused('invalid_grant', 'The token was issued to another client.');
  }
  await deps.database.transaction(async (sql) => {
    await insertRevokedToken(sql, claims, nowMs);
    await deleteGrant(sql, clientId, claims.jti);
    await deleteExpiredRevokedTokens(sql, clientId, nowMs);
  });
}
