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
// Lets a scanner find a leaked secret. Needs no quoting in a shell or form.
const SECRET_PREFIX = 'svs_';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** `sql` may be the caller's transaction. */
export interface ClientDeps {
  readonly sql: Sql;
  readonly vault: Vault;
}

export interface NewClientInput {
  /** 1 to 128 characters of `A-Z a-z 0-9 . _ ~ -`; a random one when absent. */
  readonly clientId?: string;
  readonly name: string;
  readonly type: ClientType;
  /** Only for PARTNER accounts (AUTH-7). */
  readonly partnerGuid?: string | null;
  /**
   * For CUSTOMER accounts (AUTH-7), and for BACK_OFFICE accounts of one group; null is the
   * platform.
   */
  readonly managementGroupGuid?: string | null;
  readonly scopes: readonly string[];
  /** May leave `keyId` out of payments (PAY-3). */
  readonly holdsLegacyCardKey?: boolean;
  readonly description?: string | null;
  /** When absent, the secret never ends. */
  readonly secret?: SecretInput;
}

export interface SecretInput {
  readonly label?: string | null;
  readonly expiresAtMs?: number | null;
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

/**
 * AUTH-7, AUTH-8. Throws ApiError `badRequest` for a malformed id, a scope that is unknown or of
 * another kind, or an owner that doesn't fit or exist; `conflict` when the client id is taken.
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
 * Keeps the other secrets, so that a client can switch without a gap. Throws ApiError `notFound`
 * for an unknown or revoked account.
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
 * will ask. Throws ApiError `badRequest` for a scope that is unknown or of another kind, and
 * `notFound` for an unknown or revoked account.
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

export function isScope(text: string): text is Scope {
  return (knownScopes as readonly string[]).includes(text);
}

/** The form of a token's `scope`. Throws ApiError `badRequest`. */
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
