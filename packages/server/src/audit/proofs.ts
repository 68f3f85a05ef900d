import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { canonicalText, type EntryFacts } from './chain.ts';
import { attestEntries } from './origin.ts';

/** The digests under the master key that prove who wrote the record of changes. */
export interface Proofs {
  ofEntry(entry: EntryFacts): Buffer;
  /** Of a link by its hash in hexadecimal, which holds all that it says. */
  ofLink(hash: string): Buffer;
  /** Of the end of the chain at a link. */
  ofHead(position: number, hash: string): Buffer;
}

/** Makes the proofs of a platform. */
export function proofsOf(vault: Pick<Vault, 'digest'>): Proofs {
  const attest = attestEntries(vault);
  return {
    ofEntry: (entry) => attest(canonicalText(entry)),
    ofLink: (hash) => vault.digest('audit link', hash),
    ofHead: (position, hash) => vault.digest('audit head', `${position}|${hash}`),
  };
}

/** Whether a proof that was stored is the one that it should be. */
export function isProof(stored: Buffer | null, expected: Buffer): boolean {
  return stored?.length === expected.length && timingSafeEqual(stored, expected);
}
