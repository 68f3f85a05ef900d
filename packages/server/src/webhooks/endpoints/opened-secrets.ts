import type { Vault } from '@servery/support/secret.ts';
import { type PreparedSecret, prepareSecret } from '@servery/webhooks';
import type { ClaimedDelivery, ClaimedEndpoint } from '../delivery/due-delivery-store.ts';
import type { SealedSecret } from './secret-store.ts';
import { openSecret, signingSecrets } from './secrets.ts';

/** So many are kept open; what a secret says never changes. */
const KEPT = 10_000;

/** Is told of a secret that cannot be opened, once. */
export type OnBrokenSecret = (error: unknown, secretGuid: string) => void;

/** The secrets that deliveries are signed with, opened once. */
export class OpenedSecrets {
  readonly #vault: Pick<Vault, 'open'>;
  readonly #onBroken: OnBrokenSecret;
  readonly #opened = new Map<string, PreparedSecret>();
  readonly #broken = new Set<string>();
  /** Those of an endpoint that was claimed, for all that was claimed of it. */
  readonly #known = new WeakMap<ClaimedEndpoint, readonly PreparedSecret[]>();

  constructor(vault: Pick<Vault, 'open'>, onBroken: OnBrokenSecret) {
    this.#vault = vault;
    this.#onBroken = onBroken;
  }

  /**
   * The secrets that sign for a delivery at an instant, the oldest first; one that cannot be opened
   * is left out where another one can. Throws an Error when none can, or there is none: then
   * nothing can be sent to that endpoint.
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
