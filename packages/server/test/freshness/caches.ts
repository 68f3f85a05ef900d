import { openCaches } from '../../src/boot/caches.ts';
import type { Database } from '../../src/database/database.ts';
import { readingAnywhere } from '../../src/database/read-anywhere.ts';
import type { Freshness } from '../../src/freshness/freshness.ts';

/** Caches of a database on which nobody looks for changes: every read goes to the database. */
export function idleCaches(database: Pick<Database, 'freshness' | 'sql'>) {
  return openCaches(database.freshness, 1_000_000, readingAnywhere(database));
}

/**
 * What a process knows that has just looked for changes, however slow the machine is: of its own
 * it knows all.
 */
export function alwaysFresh({ freshness }: Pick<Database, 'freshness'>): Freshness {
  const knowing: Pick<Freshness, 'begin' | 'isCurrent' | 'isKnown' | 'isOfCluster' | 'confirm'> = {
    begin: () => freshness.begin(),
    isCurrent: (stamp) => freshness.isCurrent(stamp),
    isKnown: () => true,
    isOfCluster: () => freshness.isOfCluster(),
    confirm: (buckets, seen) => freshness.confirm(buckets, seen),
  };
  return knowing as Freshness;
}
