import type { LedgerEntry } from './ledger.ts';

/** Where the entries of a ledger go. */
export interface Journal {
  /** Takes an entry; it is durable when `settled` says so. */
  append(entry: LedgerEntry): void;
  /**
   * Resolves when all that was taken so far is durable. Rejects when it cannot be written: then
   * nothing that rests on it may be answered any more.
   */
  settled(): Promise<void>;
}

/** A journal that keeps nothing: its ledger lives as long as the process. */
export const noJournal: Journal = { append: () => {}, settled: async () => {} };
