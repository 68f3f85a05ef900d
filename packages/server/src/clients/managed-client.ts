import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Reach } from '../reach/reach.ts';
import {
  type ClientView,
  findClientView,
  findClientViewLocked,
  listSecretViews,
  type SecretView,
} from './client-view-store.ts';

export interface ClientAdminDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
  /** The sandbox doesn't start without its own account. */
  readonly isKept?: (clientId: string) => Promise<boolean>;
}

export interface ManagedClient extends ClientView {
  readonly secrets: readonly SecretView[];
}

/** Throws ApiError `notFound`. */
export async function findManaged(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ManagedClient> {
  const client = await findClientView(sql, clientId, reach);
  if (!client) throw noSuchManagedClient();
  return { ...client, secrets: await listSecretViews(sql, [clientId]) };
}

/**
 * Holds the lock until the transaction ends. Throws ApiError `notFound`, and `conflict` for a
 * revoked account.
 */
export async function lockLiveClient(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ClientView> {
  const client = await findClientViewLocked(sql, clientId, reach);
  if (!client) throw noSuchManagedClient();
  if (!client.revokedAt) return client;
  throw new ApiError('conflict', 'The account was revoked for good: create another one.');
}

export function isLive(
  { revokedAt, expiresAt }: Pick<SecretView, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > nowMs);
}

/** The same text for unknown and out of reach: callers must not learn which. */
export function noSuchManagedClient(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such API account or secret, or you don't have access to it: check the path.",
  );
}
