import { newGuid } from '@servery/support/ids.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import { makeSecret, type PreparedSecret, prepareSecret } from '@servery/webhooks';
import type { Sql } from '../../database/database.ts';
import type { ClaimedDelivery } from '../delivery/due-delivery-store.ts';
import type { EndpointKey } from './endpoint-store.ts';
import { insertWebhookSecret, type SealedSecret } from './secret-store.ts';

/** The one in use and its successor. */
export const LIVE_SECRETS_AT_MOST = 2;

export interface SecretDraft {
  readonly label: string | null;
  readonly expiresAt: Date | null;
}

export interface StoredSecret extends EndpointKey, SecretDraft {
  readonly secretGuid: string;
  readonly secret: string;
  readonly at: Date;
  readonly by: string;
}

export function newSecret(): Pick<StoredSecret, 'secretGuid' | 'secret'> {
  return { secretGuid: newGuid(), secret: makeSecret() };
}

export async function storeSecret(
  sql: Sql,
  vault: Pick<Vault, 'seal'>,
  { secretGuid: guid, secret, ...stored }: StoredSecret,
): Promise<void> {
  const sealed = vault.seal(Buffer.from(secret), sealContext({ ...stored, guid }));
  await insertWebhookSecret(sql, { ...stored, guid, sealed });
}

/** Throws an Error when another master key sealed the secret. */
export function openSecret(vault: Pick<Vault, 'open'>, secret: SealedSecret): Secret {
  return new Secret(vault.open(secret.sealed, sealContext(secret)).toString());
}

const OPENED_AT_MOST = 4_096;

/** Decrypts each secret only once, because an endpoint's deliveries are claimed often. */
export class SigningSecrets {
  readonly #vault: Pick<Vault, 'open'>;
  readonly #opened = new Map<string, PreparedSecret>();

  constructor(vault: Pick<Vault, 'open'>) {
    this.#vault = vault;
  }

  /**
   * Those that sign, sorted from the oldest. Skips secrets that cannot be opened. Throws an Error
   * when none is left.
   */
  of(
    { partnerGuid, endpointGuid, endpoint }: ClaimedDelivery,
    nowMs: number,
    onBroken: (error: unknown, secretGuid: string) => void,
  ): readonly PreparedSecret[] {
    const rows = endpoint.secrets.map(({ guid, sealed, expiresAt }) => ({
      ...{ partnerGuid, endpointGuid, guid, sealed },
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }));
    const broken = new Map<string, unknown>();
    const secrets = signingSecrets(rows, nowMs).flatMap((row) => {
      try {
        return this.#open(row);
      } catch (error) {
        broken.set(row.guid, error);
        return [];
      }
    });
    const [cause = new Error('the endpoint has no secret')] = broken.values();
    if (secrets.length === 0) throw cause;
    for (const [guid, error] of broken) onBroken(error, guid);
    return secrets.reverse();
  }

  #open(row: Omit<SealedSecret, 'sealed'> & { readonly sealed: string }): PreparedSecret {
    const { sealed } = row;
    const name = `${sealContext(row)} ${sealed}`;
    const known = this.#opened.get(name);
    if (known) return known;
    const secret = openSecret(this.#vault, { ...row, sealed: Buffer.from(sealed, 'base64') });
    const prepared = prepareSecret(secret.reveal());
    if (this.#opened.size >= OPENED_AT_MOST) this.#opened.clear();
    this.#opened.set(name, prepared);
    return prepared;
  }
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
