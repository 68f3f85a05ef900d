import { type PreparedSecret, prepareSecret } from '@servery/webhooks';
import type { Vault } from '../support/secret.ts';
import type { ClaimedDelivery, ClaimedEndpoint } from './due-delivery-store.ts';
import { openSecret, signingSecrets } from './secrets.ts';

/** So many are kept open; what a secret says never changes. */
const KEPT = 10_000;

/** The secrets that deliveries are signed with, opened once. */
export class OpenedSecrets {
  readonly #vault: Pick<Vault, 'open'>;
  readonly #opened = new Map<string, PreparedSecret>();
  /** Those of an endpoint that was claimed, for all that was claimed of it. */
  #known = new WeakMap<ClaimedEndpoint, readonly PreparedSecret[]>();

  constructor(vault: Pick<Vault, 'open'>) {
    this.#vault = vault;
  }

  /**
   * The secrets that sign for a delivery at an instant, the oldest first. Throws an Error when one
   * of them cannot be opened, or there is none: then nothing can be sent to that endpoint.
   */
  of({ partnerGuid, endpointGuid, endpoint }: ClaimedDelivery, nowMs: number) {
    const known = this.#known.get(endpoint);
    if (known) return known;
    const rows = endpoint.secrets.map(({ guid, sealed, expiresAt }) => ({
      ...{ partnerGuid, endpointGuid, guid, sealed: Buffer.from(sealed, 'base64') },
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }));
    const secrets = signingSecrets(rows, nowMs)
      .toReversed()
      .map((row) => {
        const opened =
          this.#opened.get(row.guid) ?? prepareSecret(openSecret(this.#vault, row).reveal());
        if (this.#opened.size > KEPT) this.#opened.clear();
        this.#opened.set(row.guid, opened);
        return opened;
      });
    if (secrets.length === 0) throw new Error('the endpoint has no secret');
    this.#known.set(endpoint, secrets);
    return secrets;
  }
}
