import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type ClientType, scopes as knownScopes, type Scope } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import {
  insertClient,
  insertSecret,
  updateClientRevoked,
  updateClientScopes,
  updateSecretRevoked,
} from './client-store.ts';

const CLIENT_ID_BYTES = 16;
const SECRET_BYTES = 32;
// Lets a scanner find a leaked secret. Needs no quoting in a shell or form.
const SECRET_PREFIX = 'svs_';

/** `sql` may be the caller's transaction. */
export interface ClientDeps {
  readonly sql: Sql;
  readonly vault: Vault;
}

/** An account has the one owner that its type asks for (AUTH-7). */
export interface NewClientInput {
  /** A random one when absent. */
  readonly clientId?: string;
  readonly name: string;
  readonly type: ClientType;
  readonly partnerGuid?: string | null;
  readonly managementGroupGuid?: string | null;
  readonly scopes: readonly Scope[];
  /** May leave `keyId` out of payments (PAY-3). */
  readonly holdsLegacyCardKey?: boolean;
  readonly description?: string | null;
  readonly secret?: SecretInput;
}

export interface SecretInput {
  readonly label?: string | null;
  /** When absent, the secret never ends. */
  readonly expiresAt?: Date | null;
  readonly by?: string | null;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function newClientId(): string {
  return randomBytes(CLIENT_ID_BYTES).toString('hex');
}

/** Bound to the account. */
export function secretDigest(vault: Vault, credentials: ClientCredentials): Buffer {
  // A client id has no NUL, so the pair is unambiguous.
  const { clientId, clientSecret } = credentials;
  return vault.digest('client-secret', `${clientId}\0${clientSecret}`);
}

/** Takes the same time whichever digest matches, or nearly matches. */
export function findSecretOf<Stored extends { readonly digest: Buffer }>(
  digest: Buffer,
  secrets: readonly Stored[],
): Stored | null {
  let found: Stored | null = null;
  for (const stored of secrets) {
    if (timingSafeEqual(digest, stored.digest)) found = stored;
  }
  return found;
}

export interface MadeSecret extends ClientCredentials {
  readonly secretGuid: string;
}

/**
 * AUTH-7, AUTH-8: the caller has checked owner and scopes, and the database refuses wrong ones.
 * Throws ApiError `conflict` when the client id is taken.
 */
export async function createClient(
  deps: ClientDeps,
  { clientId = newClientId(), secret = {}, ...input }: NewClientInput,
  nowMs: number,
): Promise<MadeSecret> {
  const isNew = await insertClient(deps.sql, {
    clientId,
    name: input.name,
    description: input.description ?? null,
    type: input.type,
    partnerGuid: input.partnerGuid ?? null,
    managementGroupGuid: input.managementGroupGuid ?? null,
    scopes: orderedScopes(input.scopes),
    holdsLegacyCardKey: input.holdsLegacyCardKey ?? false,
    createdAt: new Date(nowMs),
    createdBy: secret.by ?? null,
  });
  if (!isNew) throw new ApiError('conflict', `The clientId ${clientId} is taken: use another.`);
  return await addSecret(deps, clientId, nowMs, secret);
}

/**
 * Keeps the other secrets, so that a client can switch without a gap. Throws ApiError `notFound`
 * for an unknown or revoked account.
 */
export async function addSecret(
  deps: ClientDeps,
  clientId: string,
  nowMs: number,
  { label = null, expiresAt = null, by: createdBy = null }: SecretInput = {},
): Promise<MadeSecret> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const credentials = { clientId, clientSecret: `${SECRET_PREFIX}${secret}` };
  const guid = newGuid();
  const digest = secretDigest(deps.vault, credentials);
  const createdAt = new Date(nowMs);
  const row = { clientId, guid, digest, label, createdAt, createdBy, expiresAt };
  if (!(await insertSecret(deps.sql, row))) throw noSuchClient();
  return { ...credentials, secretGuid: guid };
}

/**
 * Its tokens end at once (AUTH-10). Throws ApiError `notFound` when there is no such live secret.
 */
export async function revokeSecret(
  deps: Pick<ClientDeps, 'sql'>,
  clientId: string,
  secretGuid: string,
  nowMs: number,
  by: string | null = null,
): Promise<void> {
  if (await updateSecretRevoked(deps.sql, clientId, secretGuid, nowMs, by)) return;
  throw new ApiError('notFound', 'The API account has no such live secret.');
}

/** Its tokens end at once (AUTH-9). Throws ApiError `notFound`. */
export async function revokeClient(
  deps: Pick<ClientDeps, 'sql'>,
  clientId: string,
  nowMs: number,
  by: string | null = null,
): Promise<void> {
  if (!(await updateClientRevoked(deps.sql, clientId, nowMs, by))) throw noSuchClient();
}

/**
 * Applies to existing tokens at once (AUTH-8, AUTH-9). `nowMs` dates new scopes, null if nobody
 * will ask. Throws ApiError `notFound` for an unknown or revoked account.
 */
export async function setScopes(
  { sql }: Pick<ClientDeps, 'sql'>,
  clientId: string,
  scopes: readonly Scope[],
  nowMs: number | null = null,
): Promise<void> {
  const grantedAt = nowMs === null ? null : new Date(nowMs);
  const isChanged = await updateClientScopes(sql, clientId, orderedScopes(scopes), grantedAt);
  if (!isChanged) throw noSuchClient();
}

export function isScope(text: string): text is Scope {
  return (knownScopes as readonly string[]).includes(text);
}

/** The form of a token's `scope`. */
export function orderedScopes(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes)].sort();
}

function noSuchClient(): ApiError {
  return new ApiError('notFound', 'There is no live API account with this clientId.');
}
