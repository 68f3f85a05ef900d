import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { ApiClient, TokenClient } from '../clients/client-store.ts';
import type { SecretUses } from '../clients/client-uses.ts';
import type { LoginState } from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import type { Authenticate, HandlersOf } from '../http/operation.ts';
import { AccessTokens } from './access-tokens.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Issuer } from './issuer.ts';
import { logInWithoutSecret } from './log-in-without-secret.ts';
import { tokenServiceHandlers } from './partner/handlers.ts';
import { type SigningKeyDeps, type SigningKeyPolicy, SigningKeys } from './signing-keys.ts';

export interface AuthParts {
  readonly database: Database;
  readonly vault: Vault;
  readonly issuer: Issuer;
  readonly tokenClients: Cache<TokenClient>;
  readonly logins: Cache<LoginState>;
  readonly signingKeyPolicy?: SigningKeyPolicy;
  readonly newSigningKeyPair?: NonNullable<SigningKeyDeps['newSigningKeyPair']>;
  /** Learns which secret was used. */
  readonly secretUses?: SecretUses;
}

export interface Auth {
  readonly handlers: HandlersOf<'auth.'>;
  readonly authenticate: Authenticate;
  /** Call `ensure` at start, `rotate` by hand. */
  readonly signingKeys: SigningKeys;
  logInWithoutSecret(client: ApiClient, nowMs: number, origin: ChangeOrigin): Promise<string>;
}

/** Doesn't use the database yet. */
export function createAuth(parts: AuthParts): Auth {
  const signingKeys = new SigningKeys(parts);
  const accessTokens = new AccessTokens({ signingKeys, issuer: parts.issuer });
  const deps = { ...parts, signingKeys, accessTokens };
  return {
    handlers: tokenServiceHandlers(deps),
    authenticate: createAuthenticate(deps),
    signingKeys,
    logInWithoutSecret: (client, nowMs, origin) => logInWithoutSecret(deps, client, nowMs, origin),
  };
}
