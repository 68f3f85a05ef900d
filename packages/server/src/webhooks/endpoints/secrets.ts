import { newGuid } from '@servery/support/ids.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import { makeSecret } from '@servery/webhooks';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from './endpoint-store.ts';
import { insertWebhookSecret, type SealedSecret } from './secret-store.ts';

/** The one in use and its successor. */
export const LIVE_SECRETS_AT_MOST = 2;

export interface SecretDraft {
  readonly label: string | null;
  readonly expiresAtMs: number | null;
}

export interface SecretOrigin {
  readonly at: Date;
  readonly by: string;
}

export async function issueSecret(
  { sql, vault }: { readonly sql: Sql; readonly vault: Pick<Vault, 'seal'> },
  key: EndpointKey,
  { label, expiresAtMs }: SecretDraft,
  { at, by }: SecretOrigin,
): Promise<{ readonly secretGuid: string; readonly secret: string }> {
  const guid = newGuid();
  const secret = makeSecret();
  const sealed = vault.seal(Buffer.from(secret), sealContext({ ...key, guid }));
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  await insertWebhookSecret(sql, { ...key, guid, sealed, label, expiresAt, at, by });
  return { secretGuid: guid, secret };
}

/** Throws an Error when another master key sealed the secret. */
export function openSecret(vault: Pick<Vault, 'open'>, secret: SealedSecret): Secret {
  return new Secret(vault.open(secret.sealed, sealContext(secret)).toString());
}

/**
 * At most two live secrets, the newest first. When all have expired, the one with the latest end
 * stays in use: receivers could not verify an unsigned event.
 */
export function signingSecrets<
  Row extends { readonly expiresAt: Date | null; readonly revokedAt?: Date | null },
>(newestFirst: readonly Row[], nowMs: number): readonly Row[] {
  const known = newestFirst.filter(({ revokedAt }) => !revokedAt);
  const live = known.filter(({ expiresAt }) => !expiresAt || expiresAt.getTime() > nowMs);
  // A clock that went back revives expired secrets beside their successors.
  if (live.length > 0) return live.slice(0, LIVE_SECRETS_AT_MOST);
  const byEnd = known.toSorted((one, other) => Number(other.expiresAt) - Number(one.expiresAt));
  return byEnd.slice(0, 1);
}

function sealContext({ partnerGuid, endpointGuid, guid }: EndpointKey & { guid: string }): string {
  return `webhook-secret:${partnerGuid}:${endpointGuid}:${guid}`;
}
