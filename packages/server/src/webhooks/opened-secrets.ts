import type { Database } from '../db/database.ts';
import type { Secret, Vault } from '../support/secret.ts';
import { listSealedSecrets } from './secret-store.ts';
import { openSecret, signingSecrets } from './secrets.ts';

/** What opening secrets leans on. */
export interface OpenedSecretsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** So many are kept open; what a secret says never changes. */
const KEPT = 10_000;

/**
 * The secrets that deliveries are signed with, opened once. Which of them live is asked each time.
 */
export class OpenedSecrets {
  readonly #deps: OpenedSecretsDeps;
  readonly #opened = new Map<string, Secret>();

  constructor(deps: OpenedSecretsDeps) {
    this.#deps = deps;
  }

  /** The secrets that sign for endpoints at an instant, by endpoint, the oldest first. */
  async of(
    endpointGuids: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { database, vault } = this.#deps;
    const sealed = await listSealedSecrets(database.sql, endpointGuids);
    if (this.#opened.size > KEPT) this.#opened.clear();
    const open = (row: (typeof sealed)[number]) => {
      const known = this.#opened.get(row.guid) ?? openSecret(vault, row);
      this.#opened.set(row.guid, known);
      return known.reveal();
    };
    return new Map(
      Map.groupBy(sealed, ({ endpointGuid }) => endpointGuid)
        .entries()
        .map(([guid, rows]) => [guid, signingSecrets(rows, nowMs).toReversed().map(open)]),
    );
  }
}
