import type { AuditBreak } from '@servery/contract';
import { type EntryFacts, entryDigest, type LinkFacts, linkHash } from './chain.ts';

/** A link as it was read, with its entry, or null when that is gone. */
export interface ReadLink extends LinkFacts {
  readonly hash: string;
  readonly entry: EntryFacts | null;
}

/** The link before, for the first of all position 0 without a hash. */
export interface LinkBefore {
  readonly position: number;
  readonly hash: string | null;
}

/**
 * What is wrong with a link that stands behind another one, as far as hashes tell; null when it
 * fits. It computes every digest anew and believes none that was stored.
 */
export function checkLink(before: LinkBefore, link: ReadLink): AuditBreak | null {
  const expected = before.position + 1;
  if (link.position !== expected) return misplaced(expected, link);
  const { entry, entryGuid } = link;
  if (!entry) {
    return breakAt(link, 'REMOVED', `The entry ${entryGuid} is sealed here and is gone.`);
  }
  if (entry.guid !== entryGuid) {
    return breakAt(link, 'REORDERED', `The entry ${entry.guid} stands where another was sealed.`);
  }
  if (entryDigest(entry) !== link.entryDigest) {
    return breakAt(link, 'CHANGED', 'The entry says something else than when it was sealed.');
  }
  if (link.previousHash !== before.hash) {
    const text = 'The link goes on from another one than that before it: one of them was changed.';
    return breakAt(link, 'FORKED', text);
  }
  if (linkHash(link) === link.hash) return null;
  return breakAt(link, 'CHANGED', 'The hash of the link is not that of what it says.');
}

/** A finding about a link. */
export function breakAt(
  { position, entryGuid }: Pick<LinkFacts, 'position' | 'entryGuid'>,
  kind: AuditBreak['kind'],
  explanation: string,
): AuditBreak {
  return { kind, position, entryGuid, explanation };
}

/** A finding about what is not there. */
export function goneAt(position: number, explanation: string): AuditBreak {
  return { kind: 'REMOVED', position, entryGuid: null, explanation };
}

function misplaced(expected: number, link: ReadLink): AuditBreak {
  if (link.position > expected) {
    return goneAt(expected, `The link ${expected} is gone: ${link.position} comes next.`);
  }
  const text = `The link ${link.position} stands where ${expected} should: links change places.`;
  return breakAt(link, 'REORDERED', text);
}
