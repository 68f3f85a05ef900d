import type { Vault } from '@servery/support/secret.ts';
import type { ApiClient } from '../clients/client-store.ts';
import type { SecretUses } from '../clients/client-uses.ts';
import { type ClientCredentials, findSecretOf, secretDigest } from '../clients/clients.ts';
import { findLogin, type LoginSecret, type LoginState } from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import { type Subject, stampOf } from '../freshness/freshness.ts';
import { isClientId } from '../text/client-id.ts';

/** What checking a secret needs. */
export interface LogInDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** What logins that succeeded are about, remembered. */
  readonly logins: Cache<LoginState>;
  /** Is told which secret let somebody in, and must return at once; nobody when absent. */
  readonly secretUses?: SecretUses;
}

/** Whose login it was and what proved it: so much of what was sent may be kept. */
export interface Proof {
  readonly clientId: string;
  readonly digest: Buffer;
  /** The key of what the login was about, among what is remembered. */
  readonly key: string;
}

/** An account and the secret of it that let somebody in. */
export interface LetIn {
  readonly client: ApiClient;
  readonly secret: LoginSecret;
}

/** A login that succeeded. */
export interface LoggedIn extends LetIn {
  readonly proof: Proof;
}

// What a wrong client id is compared with: it has the length of a digest and equals none.
const NO_SECRETS = [{ digest: Buffer.alloc(32) }] as const;
// Stands for all text that no client id can be: the database would not take NUL, for example.
const NOBODY = '-';

/**
 * The live account and secret that the credentials are, with the secret's grant for `narrowedTo`;
 * null when the id or the secret is wrong, or either has ended. Only a login that is right may be
 * answered from memory: every refusal has cost a statement, a digest and as many comparisons, so the time
 * does not tell which it was (AUTH-1).
 */
export async function logIn(
  deps: LogInDeps,
  credentials: ClientCredentials,
  narrowedTo: string,
  nowMs: number,
): Promise<LoggedIn | null> {
  const clientId = isClientId(credentials.clientId) ? credentials.clientId : NOBODY;
  const digest = secretDigest(deps.vault, { clientId, clientSecret: credentials.clientSecret });
  const key = `${clientId} ${narrowedTo}`;
  // An id that was replaced must not match, even if somebody's account were called so.
  const isAsked = clientId === credentials.clientId;
  const known = letIn(deps.logins.find(key)?.value ?? null, digest, nowMs);
  const found =
    known && isAsked
      ? known
      : letIn(await readLogin(deps, clientId, narrowedTo, key), digest, nowMs);
  if (!found || !isAsked) return null;
  deps.secretUses?.noteSecret(clientId, digest, nowMs);
  return { ...found, proof: { clientId, digest, key } };
}

/**
 * The same account and secret for a proof that has let somebody in before; null when that is not
 * known, or it would not be let in now. Takes no note of the use.
 */
export function logInAgain(
  { logins }: Pick<LogInDeps, 'logins'>,
  { key, digest }: Proof,
  nowMs: number,
): LetIn | null {
  return letIn(logins.find(key)?.value ?? null, digest, nowMs);
}

async function readLogin(
  { logins, database }: LogInDeps,
  clientId: string,
  narrowedTo: string,
  key: string,
): Promise<LoginState | null> {
  const moment = database.freshness.begin();
  const value = await findLogin(database.sql, clientId, narrowedTo);
  const stamp = stampOf(moment, subjectsOf(clientId));
  await database.freshness.confirm(stamp.buckets);
  if (value) logins.put(key, { value, stamp });
  return value;
}

function subjectsOf(clientId: string): Subject[] {
  return [`client:${clientId}`, 'signingKeys:all'];
}

/** The account and the secret with that digest, while both live at `nowMs`; null otherwise. */
function letIn(state: LoginState | null, digest: Buffer, nowMs: number): LetIn | null {
  const isAlive = ({ expiresAtMs }: LoginSecret) => expiresAtMs === null || expiresAtMs > nowMs;
  const alive = state?.secrets.filter(isAlive) ?? [];
  const secret = findSecretOf(digest, alive);
  if (alive.length === 0) findSecretOf(digest, NO_SECRETS);
  return state && secret && !state.client.revoked ? { client: state.client, secret } : null;
}
