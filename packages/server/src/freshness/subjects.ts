/**
 * Something that may be remembered, by its kind and id: an API account with its secrets, grants and
 * revoked tokens; a restaurant with its connections; its published configuration; its stock; the
 * restaurants of a management group; all signing keys.
 */
export type Subject =
  `${'client' | 'restaurant' | 'configuration' | 'stock' | 'group' | 'signingKeys'}:${string}`;

/** Counters in `change_mark`; a power of two. */
export const BUCKETS = 4_096;

/** The counter of a subject, the same in every process and version (FNV-1a). */
export function bucketOf(subject: Subject): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < subject.length; at += 1) {
    hash = Math.imul(hash ^ subject.charCodeAt(at), 0x01000193);
  }
  // The lowest bits alone differ too little between texts with the same end.
  return ((hash >>> 16) ^ hash) & (BUCKETS - 1);
}
