import {
  deleteExpiredRevokedTokens,
  deleteGrant,
  insertRevokedToken,
} from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import { type AccessTokens, TokenRefused } from './access-tokens.ts';
import { oauthRefused } from './oauth-refused.ts';

export interface RevokeTokenDeps {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
}

/**
 * The next login gets a new one (AUTH-6, AUTH-9). Ignores unknown and expired tokens. Throws
 * ApiError `invalid_grant` for another account's token (RFC 7009 section 2.1).
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
