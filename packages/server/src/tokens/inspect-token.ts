import type { Scope } from '@servery/contract';
import { type ApiClient, findClientOfToken, type TokenClient } from '../clients/client-store.ts';
import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import { type AccessTokens, TokenRefused } from './access-tokens.ts';
import type { TokenClaims } from './issuer.ts';

export interface InspectTokenDeps {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
  readonly tokenClients: Cache<TokenClient>;
}

export interface LiveToken {
  readonly claims: TokenClaims;
  readonly client: ApiClient;
  /** A narrowed token has only those that it was narrowed to (AUTH-9). */
  readonly scopes: readonly Scope[];
}

/**
 * May remember the signature forever, but the account, scopes and revocations only until somebody
 * changes them (AUTH-9). A token ends with its secret (AUTH-10). Throws TokenRefused.
 */
export async function inspectToken(
  deps: InspectTokenDeps,
  token: string,
  nowMs: number,
): Promise<LiveToken> {
  const claims = await deps.accessTokens.verify(token, nowMs);
  const { clientId, jti, secretGuid } = claims;
  const cached = await deps.tokenClients.get(`${clientId} ${jti}`, [`client:${clientId}`], () =>
    findClientOfToken(deps.database.sql, clientId, { jti, secretGuid }),
  );
  const found = cached?.value;
  if (!found || found.client.revoked) throw new TokenRefused('clientRevoked', { claims });
  if (found.secretRevoked) throw new TokenRefused('secretRevoked', { claims });
  if (found.tokenRevoked) throw new TokenRefused('revoked', { claims });
  const { client } = found;
  const { narrowedTo } = claims;
  const scopes = narrowedTo
    ? client.scopes.filter((scope) => narrowedTo.has(scope))
    : client.scopes;
  return { claims, client, scopes };
}
