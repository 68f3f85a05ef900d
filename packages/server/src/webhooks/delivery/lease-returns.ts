import type { Sql } from '../../database/database.ts';
import { type ClaimedDelivery, updateDeliveriesGivenBack } from './due-delivery-store.ts';

/** Gives back the leases of what was claimed and not tried, many at a time. */
export class LeaseReturns {
  readonly #sql: Sql;
  #waiting: ClaimedDelivery[] = [];
  #giving: Promise<void> | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Resolves when they are given back. Where that fails, the leases come to their end. */
  async give(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0) return;
    this.#waiting.push(...claimed);
    this.#giving ??= this.#giveAll();
    await this.#giving;
  }

  async #giveAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        // What comes in the same moment goes along.
        await Promise.resolve();
        const batch = this.#waiting;
        this.#waiting = [];
        await updateDeliveriesGivenBack(this.#sql, batch);
      }
    } finally {
      this.#giving = null;
    }
  }
}
