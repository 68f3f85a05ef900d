import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { canonicalText, type EntryFacts } from './chain.ts';
import { attestEntries } from './origin.ts';

/** Made with the master key, so the database alone cannot forge them. */
export interface Proofs {
  ofEntry(entry: EntryFacts): Buffer;
  /** The hash covers everything in the link. */
  ofLink(hash: string): Buffer;
  ofHead(position: number, hash: string): Buffer;
}

export function proofsOf(vault: Pick<Vault, 'digest'>): Proofs {
  const attest = attestEntries(vault);
  return {
    ofEntry: (entry) => attest(canonicalText(entry)),
    ofLink: (hash) => vault.digest('audit link', hash),
    ofHead: (position, hash) => vault.digest('audit head', `${position}|${hash}`),
  };
}

export function isProof(stored: Buffer | null, expected: Buffer): boolean {
  return stored?.length === expected.length && timingSafeEqual(stored, expected);
}
