import type { Scope } from '@servery/contract';
import type { Database } from '../db/database.ts';
import { type AccessTokens, TokenRefused } from './access-tokens.ts';
import { type ApiClient, findClientOfToken } from './client-store.ts';
import type { TokenClaims } from './issuer.ts';

/** What looking at a token needs. */
export interface InspectTokenDeps {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
}

/** A live token: what it says, whose it is, and what it may do at this moment. */
export interface LiveToken {
  readonly claims: TokenClaims;
  readonly client: ApiClient;
  /** The account's scopes now; of a narrowed token those of them that it was narrowed to (T9). */
  readonly scopes: readonly Scope[];
}

/**
 * Looks at a token at `nowMs` (epoch milliseconds). The signature may be remembered; the account,
 * its scopes and revocations are asked of the database each time, because a right that was taken
 * away must not be served from memory (T9). Throws TokenRefused.
 */
export async function inspectToken(
  deps: InspectTokenDeps,
  token: string,
  nowMs: number,
): Promise<LiveToken> {
  const claims = await deps.accessTokens.verify(token, nowMs);
  const found = await findClientOfToken(deps.database.sql, claims.clientId, claims.jti);
  if (!found || found.client.revoked) throw new TokenRefused('clientRevoked');
  if (found.tokenRevoked) throw new TokenRefused('revoked');
  const { client } = found;
  const { narrowedTo } = claims;
  const scopes = narrowedTo
    ? client.scopes.filter((scope) => narrowedTo.has(scope))
    : client.scopes;
  return { claims, client, scopes };
}
