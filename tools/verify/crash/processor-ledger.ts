import { readFile } from 'node:fs/promises';
import type { LedgerEntry } from '@servery/card-simulator/ledger.ts';

/** An authorization at the processor, counted anew from the lines of its ledger. */
export interface LedgerHold {
  /** `auth:<payment id>:<attempt>`, if all is well. */
  readonly key: string;
  readonly paymentId: string;
  readonly merchantGuid: string;
  readonly currencyCode: string;
  /** What it was asked to hold, in minor units. */
  readonly amountMinor: number;
  readonly isApproved: boolean;
  readonly authorizationCode: string | null;
  /** What was captured, each time; two entries are a doubled capture. */
  readonly capturesMinor: readonly number[];
  readonly voids: number;
}

type Draft = { -readonly [Name in keyof LedgerHold]: LedgerHold[Name] };

/**
 * Reads the ledger of the processor from its file. It counts by itself, without the processor's own
 * reading of it. A last line that a kill left half written is nothing that anybody was told of.
 */
export async function readProcessorLedger(file: string): Promise<LedgerHold[]> {
  const text = await readFile(file, 'utf8');
  const lines = text.split('\n').slice(0, -1);
  return countLedger(lines.map((line) => JSON.parse(line) as LedgerEntry));
}

/** The authorizations that follow from the entries of a ledger, oldest first. */
function countLedger(entries: readonly LedgerEntry[]): LedgerHold[] {
  const holds = new Map<string, Draft>();
  const late = new Map<string, { questions: number; readonly hold: Draft }>();
  for (const entry of entries) {
    if (entry.type === 'authorized') holds.set(entry.hold.key, holdOf(entry));
    if (entry.type === 'late') {
      const { questions } = entry;
      late.set(entry.entry.hold.key, { questions, hold: holdOf(entry.entry) });
    }
    if (entry.type === 'missed') {
      const waiting = late.get(entry.key);
      if (waiting) waiting.questions -= 1;
      if (waiting?.questions === 0) holds.set(entry.key, waiting.hold);
    }
    const hold = 'authorizationKey' in entry ? holds.get(entry.authorizationKey) : undefined;
    if (!hold) continue;
    if (entry.type === 'captured') hold.capturesMinor = [...hold.capturesMinor, entry.amountMinor];
    if (entry.type === 'voided') hold.voids += 1;
  }
  return [...holds.values()];
}

function holdOf({ hold, answer }: Extract<LedgerEntry, { type: 'authorized' }>): Draft {
  const { key, paymentId, merchantGuid, currencyCode, amountMinor } = hold;
  const isApproved = answer.outcome === 'approved';
  const authorizationCode = isApproved ? answer.authorizationCode : null;
  const facts = { key, paymentId, merchantGuid, currencyCode, amountMinor };
  return { ...facts, isApproved, authorizationCode, capturesMinor: [], voids: 0 };
}

/** Whether money is on hold there: approved, and neither captured nor given up. */
export function isHeld({ isApproved, capturesMinor, voids }: LedgerHold): boolean {
  return isApproved && capturesMinor.length === 0 && voids === 0;
}
