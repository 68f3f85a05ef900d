export type Subject =
  `${'client' | 'restaurant' | 'configuration' | 'menus' | 'stock' | 'group' | 'signingKeys' | 'sandbox' | 'faults' | 'names'}:${string}`;

export const BUCKETS = 65_536;

/** The counter of what concerns all subjects. */
export const EVERYTHING = -1;

/** Must be the same in every process and version (FNV-1a). */
export function bucketOf(subject: Subject): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < subject.length; at += 1) {
    hash = Math.imul(hash ^ subject.charCodeAt(at), 0x01000193);
  }
  // The lowest bits differ too little between texts with the same end.
  return ((hash >>> 16) ^ hash) & (BUCKETS - 1);
}
