import type { Database } from '../../database/database.ts';
import { claimLedgerId, findLedgerId } from '../../database/environment-ledger.ts';

/** A simulator's ledger: what tells it from others, and where it is, for people. */
export interface OwnLedger {
  readonly id: string;
  readonly place: string;
}

/** A processor that may have a ledger. */
export interface LedgerHolder {
  /** Its ledger; null where it tells of none, or does not answer. */
  ledger(): Promise<OwnLedger | null>;
  /** From now on a simulator refuses calls that are meant for another ledger than its own. */
  workWith(ledgerId: string | null): void;
}

/**
 * Makes sure that the processor has the ledger that the environment works with, which is the first
 * one that the environment ever had; from then on its calls are carried out by that ledger and no
 * other. Throws an Error that says what to do when it has another one: what one ledger holds is
 * unknown to another, so that the guest would pay twice. A processor that tells of no ledger, or is
 * away, is taken as it is.
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

/** What a person can do when the ledger of the environment is not at hand. */
const WAYS_ON =
  'Nothing was started. If another server runs on this database, give this one the same ' +
  'processor: its SERVERY_PROCESSOR_URL, or its data folder with --data-dir (docs/reference/processor-protocol.md). ' +
  'If the ledger was deleted or replaced, restore it; or begin a new sandbox, with a new ' +
  '--data-dir and an empty database.';

/** Why payments are not carried out in memory: a ledger in a file has those that there are. */
export function inMemoryRefused(expected: string): Error {
  return new Error(
    'SERVERY_PROCESSOR=in-process would know none of the payments that this database has in the ' +
      `ledger ${expected} of a simulator. ${WAYS_ON}`,
  );
}

/** Why a ledger is not begun: the environment has one already, and it is not in this file. */
export function ledgerMissing(ledgerFile: string, expected: string): Error {
  return new Error(
    `${ledgerFile} is missing: it is the ledger (${expected}) that this database’s payments are ` +
      `in, and a new one would know none of them. ${WAYS_ON}`,
  );
}
