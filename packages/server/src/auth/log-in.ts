import type { Database } from '../db/database.ts';
import type { Vault } from '../support/secret.ts';
import { type ClientCredentials, isClientId, matchesSecret, secretDigest } from './clients.ts';
import { findLogin, type LoginState } from './grant-store.ts';

/** What checking a secret needs. */
export interface LogInDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** Is told which secret let somebody in, and must return at once; nobody when absent. */
  readonly secretUses?: SecretUses;
}

/** Takes note of the use of secrets. */
export interface SecretUses {
  noteSecret(clientId: string, digest: Buffer, nowMs: number): void;
}

// What a wrong client id is compared with: it has the length of a digest and equals none.
const NO_SECRETS: readonly Buffer[] = [Buffer.alloc(32)];
// Stands for all text that no client id can be, such as NUL, which the database would not take.
const NOBODY = '-';

/**
 * The live account that the credentials belong to, with its grant for `narrowedTo`; null when the
 * id or the secret is wrong, or either has ended. One statement, one digest and one comparison are
 * made in every case, so the time does not tell which it was (T1).
 */
export async function logIn(
  deps: LogInDeps,
  credentials: ClientCredentials,
  narrowedTo: string,
  nowMs: number,
): Promise<LoginState | null> {
  const clientId = isClientId(credentials.clientId) ? credentials.clientId : NOBODY;
  const digest = secretDigest(deps.vault, { clientId, clientSecret: credentials.clientSecret });
  const state = await findLogin(deps.database.sql, clientId, narrowedTo, nowMs);
  const secrets = state && state.secretDigests.length > 0 ? state.secretDigests : NO_SECRETS;
  const isMatch = matchesSecret(digest, secrets);
  // An id that was replaced must not match, even if somebody's account were called so.
  const isAsked = clientId === credentials.clientId;
  if (!state || !isMatch || !isAsked || state.client.revoked) return null;
  deps.secretUses?.noteSecret(clientId, digest, nowMs);
  return state;
}
