import type { AuditBreak } from '@servery/contract';
import { type EntryFacts, entryDigest, type LinkFacts, linkHash } from './chain.ts';

export interface ReadLink extends LinkFacts {
  readonly hash: string;
  readonly entry: EntryFacts | null;
}

/** Position 0 without a hash comes before the first link. */
export interface LinkBefore {
  readonly position: number;
  readonly hash: string | null;
}

/** Computes every digest and trusts no stored one. Null when the link fits. */
export function checkLink(before: LinkBefore, link: ReadLink): AuditBreak | null {
  const expected = before.position + 1;
  if (link.position !== expected) return misplaced(expected, link);
  const { entry, entryGuid } = link;
  if (!entry) {
    return breakAt(link, 'REMOVED', `The entry ${entryGuid} was sealed here and is missing.`);
  }
  if (entry.guid !== entryGuid) {
    return breakAt(link, 'REORDERED', `The entry ${entry.guid} stands where another was sealed.`);
  }
  if (entryDigest(entry) !== link.entryDigest) {
    return breakAt(link, 'CHANGED', 'The entry has changed since it was sealed.');
  }
  if (link.previousHash !== before.hash) {
    const text = 'The link goes on from another one than that before it: one of them was changed.';
    return breakAt(link, 'FORKED', text);
  }
  if (linkHash(link) === link.hash) return null;
  return breakAt(link, 'CHANGED', 'The hash of the link does not match its content.');
}

export function breakAt(
  { position, entryGuid }: Pick<LinkFacts, 'position' | 'entryGuid'>,
  kind: AuditBreak['kind'],
  explanation: string,
): AuditBreak {
  return { kind, position, entryGuid, explanation };
}

export function goneAt(position: number, explanation: string): AuditBreak {
  return { kind: 'REMOVED', position, entryGuid: null, explanation };
}

function misplaced(expected: number, link: ReadLink): AuditBreak {
  if (link.position > expected) {
    return goneAt(expected, `The link ${expected} is missing: ${link.position} comes next.`);
  }
  const text = `The link ${link.position} stands where ${expected} should: links change places.`;
  return breakAt(link, 'REORDERED', text);
}
