import type { Vault } from '@servery/support/secret.ts';
import { type PreparedSecret, prepareSecret } from '@servery/webhooks';
import type { ClaimedDelivery, ClaimedEndpoint } from '../delivery/due-delivery-store.ts';
import type { SealedSecret } from './secret-store.ts';
import { openSecret, signingSecrets } from './secrets.ts';

/** A secret's content never changes, so cached ones stay valid. */
const KEPT = 10_000;

export type OnBrokenSecret = (error: unknown, secretGuid: string) => void;

export class OpenedSecrets {
  readonly #vault: Pick<Vault, 'open'>;
  readonly #onBroken: OnBrokenSecret;
  readonly #opened = new Map<string, PreparedSecret>();
  readonly #broken = new Set<string>();
  readonly #known = new WeakMap<ClaimedEndpoint, readonly PreparedSecret[]>();

  constructor(vault: Pick<Vault, 'open'>, onBroken: OnBrokenSecret) {
    this.#vault = vault;
    this.#onBroken = onBroken;
  }

  /**
   * Sorted from the oldest. Skips secrets that cannot be opened. Throws an Error when none is left.
   */
  of(delivery: ClaimedDelivery, nowMs: number): readonly PreparedSecret[] {
    const { partnerGuid, endpointGuid, endpoint } = delivery;
    const known = this.#known.get(endpoint);
    if (known) return known;
    const rows = endpoint.secrets.map(({ guid, sealed, expiresAt }) => ({
      ...{ partnerGuid, endpointGuid, guid, sealed: Buffer.from(sealed, 'base64') },
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }));
    const failures: { readonly guid: string; readonly error: unknown }[] = [];
    const secrets = signingSecrets(rows, nowMs)
      .toReversed()
      .flatMap((row) => {
        try {
          return [this.#open(row)];
        } catch (error) {
          failures.push({ guid: row.guid, error });
          return [];
        }
      });
    if (secrets.length === 0) throw failures[0]?.error ?? new Error('the endpoint has no secret');
    for (const { guid, error } of failures) this.#tell(guid, error);
    this.#known.set(endpoint, secrets);
    return secrets;
  }

  #open(row: SealedSecret): PreparedSecret {
    const opened =
      this.#opened.get(row.guid) ?? prepareSecret(openSecret(this.#vault, row).reveal());
    if (this.#opened.size > KEPT) this.#opened.clear();
    this.#opened.set(row.guid, opened);
    return opened;
  }

  #tell(guid: string, error: unknown): void {
    if (this.#broken.has(guid)) return;
    this.#broken.add(guid);
    this.#onBroken(error, guid);
  }
}
