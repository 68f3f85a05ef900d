import type { Vault } from '@servery/support/secret.ts';
import type { ApiClient } from '../clients/client-store.ts';
import type { SecretUses } from '../clients/client-uses.ts';
import { type ClientCredentials, findSecretOf, secretDigest } from '../clients/clients.ts';
import { findLogin, type LoginSecret, type LoginState } from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import { type Subject, stampOf } from '../freshness/freshness.ts';
import { isClientId } from '../text/client-id.ts';

export interface LogInDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly logins: Cache<LoginState>;
  /** Must return at once. */
  readonly secretUses?: SecretUses;
}

/** The only part of a login that may be kept. */
export interface Proof {
  readonly clientId: string;
  readonly digest: Buffer;
  readonly key: string;
}

export interface LetIn {
  readonly client: ApiClient;
  readonly secret: LoginSecret;
}

export interface LoggedIn extends LetIn {
  readonly proof: Proof;
}

// For an unknown client id: has the length of a digest but equals none.
const NO_SECRETS = [{ digest: Buffer.alloc(32) }] as const;
// For text that can't be a client id: for example, the database rejects NUL.
const NOBODY = '-';

/**
 * Null when the id or secret is wrong or ended. Only successful logins may come from memory: every
 * refusal costs the same work, so that its time doesn't tell the reason (AUTH-1).
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
  // The placeholder must not match, even if an account has this id.
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

/** Null when the proof is unknown or no longer valid. Doesn't count the use. */
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

function letIn(state: LoginState | null, digest: Buffer, nowMs: number): LetIn | null {
  const isAlive = ({ expiresAtMs }: LoginSecret) => expiresAtMs === null || expiresAtMs > nowMs;
  const alive = state?.secrets.filter(isAlive) ?? [];
  const secret = findSecretOf(digest, alive);
  if (alive.length === 0) findSecretOf(digest, NO_SECRETS);
  return state && secret && !state.client.revoked ? { client: state.client, secret } : null;
}
