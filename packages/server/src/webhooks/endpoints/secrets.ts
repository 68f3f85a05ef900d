import { newGuid } from '@servery/support/ids.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import { makeSecret } from '@servery/webhooks';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from './endpoint-store.ts';
import { insertWebhookSecret, type SealedSecret } from './secret-store.ts';

/** One that is used, and the one that takes its place. */
export const LIVE_SECRETS_AT_MOST = 2;

/** What is said of a new secret. Instants are epoch milliseconds. */
export interface SecretDraft {
  readonly label: string | null;
  /** Null for never. */
  readonly expiresAtMs: number | null;
}

/** Who makes a secret, and when. */
export interface SecretOrigin {
  readonly at: Date;
  readonly by: string;
}

/** Makes a secret for an endpoint; it cannot be shown again. */
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

/** Opens a secret. Throws an Error when it was sealed with another master key. */
export function openSecret(vault: Pick<Vault, 'open'>, secret: SealedSecret): Secret {
  return new Secret(vault.open(secret.sealed, sealContext(secret)).toString());
}

/**
 * Those of an endpoint's secrets that sign at an instant, in the order they are given, the newest
 * first: those that live, two at most. When all have reached their ends, the one that lived longest
 * goes on until another is there: an event that nobody can verify would help nobody.
 */
export function signingSecrets<
  Row extends { readonly expiresAt: Date | null; readonly revokedAt?: Date | null },
>(newestFirst: readonly Row[], nowMs: number): readonly Row[] {
  const known = newestFirst.filter(({ revokedAt }) => !revokedAt);
  const live = known.filter(({ expiresAt }) => !expiresAt || expiresAt.getTime() > nowMs);
  // A clock that went back brings ended ones to life beside those that took their place.
  if (live.length > 0) return live.slice(0, LIVE_SECRETS_AT_MOST);
  const byEnd = known.toSorted((one, other) => Number(other.expiresAt) - Number(one.expiresAt));
  return byEnd.slice(0, 1);
}

function sealContext({ partnerGuid, endpointGuid, guid }: EndpointKey & { guid: string }): string {
  return `webhook-secret:${partnerGuid}:${endpointGuid}:${guid}`;
}
