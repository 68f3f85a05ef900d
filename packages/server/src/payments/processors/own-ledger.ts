import type { Database } from '../../database/database.ts';
import { claimLedgerId, findLedgerId } from '../../database/environment.ts';

export interface OwnLedger {
  readonly id: string;
  readonly place: string;
}

export interface LedgerHolder {
  /** Null when the processor has none or doesn't answer. */
  ledger(): Promise<OwnLedger | null>;
  /** From now on, the simulator refuses calls for another ledger. */
  workWith(ledgerId: string | null): void;
}

/**
 * Ties the environment to the first ledger it ever used. Throws an Error that says what to do when
 * the processor has another one: it wouldn't know existing holds, and guests would pay twice. A
 * processor without a known ledger is accepted.
 */
export async function claimLedger(database: Database, opened: LedgerHolder): Promise<void> {
  const own = await opened.ledger();
  const expected =
    own === null ? await findLedgerId(database) : await claimLedgerId(database, own.id);
  if (own !== null && expected !== null && own.id !== expected) {
    throw new Error(
      `${own.place} is another ledger (${own.id}) than the one that this database’s payments are ` +
        `in (${expected}). ${WAYS_ON}`,
    );
  }
  opened.workWith(expected);
}

const WAYS_ON =
  'Nothing was started. If another server runs on this database, give this one the same ' +
  'processor: its SERVERY_PROCESSOR_URL, or its data folder with --data-dir (docs/reference/processor-protocol.md). ' +
  'If the ledger was deleted or replaced, restore it; or start a new sandbox, with a new ' +
  '--data-dir and an empty database.';

export function inMemoryRefused(expected: string): Error {
  return new Error(
    'SERVERY_PROCESSOR=in-process would know none of the payments that this database has in the ' +
      `ledger ${expected} of a simulator. ${WAYS_ON}`,
  );
}

export function ledgerMissing(ledgerFile: string, expected: string): Error {
  return new Error(
    `${ledgerFile} is missing: it is the ledger (${expected}) that this database’s payments are ` +
      `in, and a new one would know none of them. ${WAYS_ON}`,
  );
}
