import type { Sight } from '../freshness/cache.ts';
import type { Database, Sql } from './database.ts';
import type { Replica } from './replica.ts';

/**
 * Reads what depends on nothing but the counters of `sight`. `read` gets no sight where it need not
 * bring them along. Without a sight, a replica can't be compared, so the primary is read.
 */
export type ReadAnywhere = <Value>(
  sight: Sight | null,
  read: (sql: Sql, sight: Sight | null) => Promise<Value>,
) => Promise<Value>;

/** Reads at the replica if that is new enough, and otherwise at the primary. */
export function readingAnywhere(
  { sql }: Pick<Database, 'sql'>,
  replica: Replica | null = null,
): ReadAnywhere {
  return async (sight, read) => {
    const found = sight && (await replica?.read(sight, (there) => read(there, null)));
    return found ? found.value : await read(sql, sight);
  };
}
