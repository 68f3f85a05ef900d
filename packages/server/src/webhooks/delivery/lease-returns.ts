import type { Sql } from '../../database/database.ts';
import { type ClaimedDelivery, updateDeliveriesGivenBack } from './due-delivery-store.ts';

export class LeaseReturns {
  readonly #sql: Sql;
  #waiting: ClaimedDelivery[] = [];
  #giving: Promise<void> | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Never rejects: leases that cannot be given back run out. */
  async give(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0) return;
    this.#waiting.push(...claimed);
    this.#giving ??= this.#giveAll();
    await this.#giving;
  }

  async #giveAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        // Collects everything given in the same moment.
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
