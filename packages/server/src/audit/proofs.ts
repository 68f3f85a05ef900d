import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { canonicalText, type EntryFacts } from './chain.ts';
import { attestEntries } from './origin.ts';

export type Proofs = ReturnType<typeof proofsOf>;

/** Made with the master key, so the database alone cannot forge them. */
export function proofsOf(vault: Pick<Vault, 'digest'>) {
  const attest = attestEntries(vault);
  return {
    ofEntry: (entry: EntryFacts) => attest(canonicalText(entry)),
    /** The hash covers everything in the link. */
    ofLink: (hash: string) => vault.digest('audit link', hash),
    ofHead: (position: number, hash: string) => vault.digest('audit head', `${position}|${hash}`),
  };
}

export function isProof(stored: Buffer | null, expected: Buffer): boolean {
  return stored?.length === expected.length && timingSafeEqual(stored, expected);
}
