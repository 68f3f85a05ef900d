import type { Vault } from '@servery/support/secret.ts';
import type { TokenClient } from '../clients/client-store.ts';
import type { SecretUses } from '../clients/client-uses.ts';
import type { LoginState } from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import type { Authenticate, HandlersOf } from '../http/operation.ts';
import { AccessTokens } from './access-tokens.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Issuer } from './issuer.ts';
import { tokenServiceHandlers } from './partner/handlers.ts';
import { type SigningKeyDeps, type SigningKeyPolicy, SigningKeys } from './signing-keys.ts';

/** What one environment's token service is made of. */
export interface AuthParts {
  readonly database: Database;
  readonly vault: Vault;
  readonly issuer: Issuer;
  /** The accounts behind tokens, remembered. */
  readonly tokenClients: Cache<TokenClient>;
  /** What logins are about, remembered. */
  readonly logins: Cache<LoginState>;
  /** `defaultSigningKeyPolicy` when absent. */
  readonly signingKeyPolicy?: SigningKeyPolicy;
  /** Of signing keys; they are made when they are needed when it is absent. */
  readonly newSigningKeyPair?: NonNullable<SigningKeyDeps['newSigningKeyPair']>;
  /** Is told which secret let somebody in. */
  readonly secretUses?: SecretUses;
}

/** The token service of one environment. */
export interface Auth {
  readonly handlers: HandlersOf<'auth.'>;
  readonly authenticate: Authenticate;
  /** `ensure` it at start; `rotate` it by hand. */
  readonly signingKeys: SigningKeys;
}

/** Puts the token service together. Nothing is asked of the database yet. */
export function createAuth(parts: AuthParts): Auth {
  const signingKeys = new SigningKeys(parts);
  const accessTokens = new AccessTokens({ signingKeys, issuer: parts.issuer });
  const deps = { ...parts, signingKeys, accessTokens };
  return {
    handlers: tokenServiceHandlers(deps),
    authenticate: createAuthenticate(deps),
    signingKeys,
  };
}
