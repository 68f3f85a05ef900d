import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type ClientType, scopes as knownScopes, type Scope, scopesFor } from '@servery/contract';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isClientId } from '../text/client-id.ts';
import {
  insertClient,
  insertSecret,
  updateClientRevoked,
  updateClientScopes,
  updateSecretRevoked,
} from './client-store.ts';

const CLIENT_ID_BYTES = 16;
const SECRET_BYTES = 32;
// Lets a scanner find a secret that was committed by mistake; no quoting needed in a shell or form.
const SECRET_PREFIX = 'svs_';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** What changing an API account needs. `sql` may be a transaction that the caller commits. */
export interface ClientDeps {
  readonly sql: Sql;
  readonly vault: Vault;
}

/** The account to create. */
export interface NewClientInput {
  /** 1 to 128 characters of `A-Z a-z 0-9 . _ ~ -`; a random one when absent. */
  readonly clientId?: string;
  readonly name: string;
  readonly type: ClientType;
  /** For PARTNER accounts, and only for them (AUTH-7). */
  readonly partnerGuid?: string | null;
  /** For CUSTOMER accounts (AUTH-7). For BACK_OFFICE accounts of one group; null is the platform. */
  readonly managementGroupGuid?: string | null;
  readonly scopes: readonly string[];
  /** May leave `keyId` out of payments (PAY-3); false when absent. */
  readonly holdsLegacyCardKey?: boolean;
  /** In words of a person; null when absent. */
  readonly description?: string | null;
  /** What is said of the first secret: nothing, and it never ends, when absent. */
  readonly secret?: SecretInput;
}

/** What may be said of a new secret. */
export interface SecretInput {
  /** What people call it; null when absent. */
  readonly label?: string | null;
  /** Epoch milliseconds; never when null or absent. */
  readonly expiresAtMs?: number | null;
  /** Who makes it, as histories name them; null when absent. */
  readonly by?: string | null;
}

/** What the holder of an account needs to log in. The secret cannot be shown again. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A random client id. */
export function newClientId(): string {
  return randomBytes(CLIENT_ID_BYTES).toString('hex');
}

/** The keyed digest under which a secret is stored; bound to its account. */
export function secretDigest(vault: Vault, credentials: ClientCredentials): Buffer {
  // A client id has no NUL, so the pair cannot be read in two ways.
  const { clientId, clientSecret } = credentials;
  return vault.digest('client-secret', `${clientId}\0${clientSecret}`);
}

/**
 * The secret with that digest, or null, in a time that does not tell which one it is or how near a
 * wrong digest came.
 */
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

/**
 * Creates an API account with a first secret of 256 random bits (AUTH-7, AUTH-8). Throws ApiError
 * `badRequest` for a malformed id, a scope that is unknown or of another kind, an owner that does
 * not fit the type or does not exist, and `conflict` when the client id is taken.
 */
export async function createClient(
  deps: ClientDeps,
  input: NewClientInput,
  nowMs: number,
): Promise<ClientCredentials & { readonly secretGuid: string }> {
  const clientId = input.clientId ?? newClientId();
  if (!isClientId(clientId)) {
    throw new ApiError(
      'badRequest',
      'The clientId is malformed: use 1 to 128 of A-Z a-z 0-9 . _ ~ and -.',
    );
  }
  const credentials = { clientId, clientSecret: newSecret() };
  const secretGuid = newGuid();
  const { label = null, expiresAtMs = null, by = null } = input.secret ?? {};
  try {
    const isNew = await insertClient(deps.sql, {
      clientId,
      name: input.name,
      description: input.description ?? null,
      type: input.type,
      ...ownerOf(input),
      scopes: scopesOf(input),
      holdsLegacyCardKey: input.holdsLegacyCardKey ?? false,
      secretGuid,
      secretDigest: secretDigest(deps.vault, credentials),
      secretLabel: label,
      secretExpiresAtMs: expiresAtMs,
      createdAtMs: nowMs,
      createdBy: by,
    });
    if (!isNew) throw new ApiError('conflict', `The clientId ${clientId} is taken: use another.`);
  } catch (error) {
    if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
    const owner = input.type === 'PARTNER' ? 'partner' : 'management group';
    throw new ApiError('badRequest', `The ${owner} does not exist: create it first.`, {
      cause: error,
    });
  }
  return { ...credentials, secretGuid };
}

/**
 * Adds a secret beside those that live, so that a client can change over without a gap. Throws
 * ApiError `notFound` for an unknown or revoked account.
 */
export async function addSecret(
  deps: ClientDeps,
  clientId: string,
  nowMs: number,
  { label = null, expiresAtMs = null, by = null }: SecretInput = {},
): Promise<ClientCredentials & { readonly secretGuid: string }> {
  const credentials = { clientId, clientSecret: newSecret() };
  const secretGuid = newGuid();
  const isAdded = await insertSecret(deps.sql, {
    clientId,
    guid: secretGuid,
    digest: secretDigest(deps.vault, credentials),
    label,
    createdAtMs: nowMs,
    createdBy: by,
    expiresAtMs,
  });
  if (!isAdded) throw noSuchClient();
  return { ...credentials, secretGuid };
}

/**
 * Revokes one secret and the tokens that it issued, at once (AUTH-10). `by` is how histories name who
 * does it. Throws ApiError `notFound` when there is no such live secret.
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

/**
 * Revokes an account with all of its tokens, at once (AUTH-9); `by` is who does it, as histories
 * name them.
 * Throws ApiError `notFound`.
 */
export async function revokeClient(
  deps: Pick<ClientDeps, 'sql'>,
  clientId: string,
  nowMs: number,
  by: string | null = null,
): Promise<void> {
  if (!(await updateClientRevoked(deps.sql, clientId, nowMs, by))) throw noSuchClient();
}

/**
 * Replaces the scopes of an account, in force for its tokens at once (AUTH-8, AUTH-9); `nowMs` is since
 * when it has those that are new, null when nobody will ask. Throws ApiError `badRequest` for a
 * scope that is unknown or of another kind than the account, and `notFound` for an unknown or
 * revoked account.
 */
export async function setScopes(
  deps: Pick<ClientDeps, 'sql'>,
  clientId: string,
  scopes: readonly string[],
  nowMs: number | null = null,
): Promise<void> {
  const ordered = orderedScopes(scopes);
  const grantedAt = nowMs === null ? null : new Date(nowMs);
  try {
    const isChanged = await updateClientScopes(deps.sql, clientId, ordered, grantedAt);
    if (!isChanged) throw noSuchClient();
  } catch (error) {
    if (!isSqlState(error, CHECK_VIOLATION)) throw error;
    throw new ApiError(
      'badRequest',
      'A scope does not fit the kind of the account: back office scopes are for BACK_OFFICE ' +
        'accounts, and only those.',
      { cause: error },
    );
  }
}

/** True for the name of a scope (AUTH-8). */
export function isScope(text: string): text is Scope {
  return (knownScopes as readonly string[]).includes(text);
}

/** Scopes sorted, without repeats, as a token's `scope` has them. Throws ApiError `badRequest`. */
export function orderedScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) {
    throw new ApiError(
      'badRequest',
      `The scope ${JSON.stringify(unknown)} is unknown: use ${knownScopes.join(', ')}.`,
    );
  }
  return [...new Set(scopes as readonly Scope[])].sort();
}

function ownerOf(input: NewClientInput): {
  partnerGuid: string | null;
  managementGroupGuid: string | null;
} {
  const partnerGuid = input.partnerGuid ?? null;
  const managementGroupGuid = input.managementGroupGuid ?? null;
  const mayHaveGroup = input.type !== 'PARTNER';
  const isGroupMissing = input.type === 'CUSTOMER' && managementGroupGuid === null;
  const isGroupWrong = isGroupMissing || (managementGroupGuid !== null && !mayHaveGroup);
  if (isGroupWrong || (partnerGuid !== null) !== (input.type === 'PARTNER')) {
    throw new ApiError(
      'badRequest',
      'A PARTNER account has a partner and no management group, a CUSTOMER account the reverse, ' +
        'and a BACK_OFFICE account a management group or, for the whole platform, neither.',
    );
  }
  return { partnerGuid, managementGroupGuid };
}

function scopesOf({ type, scopes }: NewClientInput): Scope[] {
  const ordered = orderedScopes(scopes);
  const allowed = scopesFor(type);
  const foreign = ordered.find((scope) => !allowed.includes(scope));
  if (foreign !== undefined) {
    throw new ApiError(
      'badRequest',
      `A ${type} account cannot hold the scope ${foreign}: use ${allowed.join(', ')}.`,
    );
  }
  return ordered;
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

function noSuchClient(): ApiError {
  return new ApiError('notFound', 'There is no live API account with this clientId.');
}
