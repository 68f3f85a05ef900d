import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Reach } from '../reach/reach.ts';
import {
  type ClientView,
  findClientView,
  findClientViewLocked,
  listSecretViews,
  type SecretView,
} from './client-view-store.ts';

/** An account with what may be known of its secrets. */
export interface ManagedClient extends ClientView {
  readonly secrets: readonly SecretView[];
}

/** Finds an account within reach. Throws ApiError `notFound`. */
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
 * Locks an account within reach until the transaction ends. Throws ApiError `notFound`, and
 * `conflict` for one that was revoked.
 */
export async function lockLiveClient(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ClientView> {
  const client = await findClientViewLocked(sql, clientId, reach);
  if (!client) throw noSuchManagedClient();
  if (!client.revokedAt) return client;
  throw new ApiError(
    'conflict',
    'The account was revoked, and a revoked account does not come back: create another one.',
  );
}

/** Whether a secret can log in at an instant, as long as its account is not revoked. */
export function isLive({ revokedAt, expiresAt }: SecretView, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > nowMs);
}

/** One text for what does not exist and what is out of reach, so that nobody learns which. */
export function noSuchManagedClient(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such API account, or no such secret of it, within your reach: check the path.',
  );
}
