import type { Sql } from '../database/database.ts';
import type { Reach } from './reach.ts';
import { isAtReachedRestaurant } from './reach-store.ts';

type Fragment = ReturnType<Sql>;

export interface DueColumns {
  readonly table: Fragment;
  readonly restaurant: Fragment;
  /** Null if nothing is due; needs an index by the instant, and one by restaurant and instant. */
  readonly instant: Fragment;
}

/**
 * Reads one index entry per restaurant, which may belong to the next restaurant: an exact condition
 * could make PostgreSQL walk through all open rows. A cluster refuses the part for a reach: only a
 * move of a sandbox's clock asks it.
 */
export async function findNextDueInstant(
  sql: Sql,
  reach: Reach,
  { table, restaurant, instant }: DueColumns,
): Promise<Date | null> {
  const [row] = reach.isPlatform
    ? await sql<{ dueAt: Date | null }[]>`
        select ${instant} as "dueAt" from ${table}
        where ${instant} is not null order by ${instant} limit 1`
    : await sql<{ dueAt: Date | null }[]>`
        select min(first.instant) as "dueAt" from restaurant cross join lateral (
          select ${restaurant} as place, ${instant} as instant from ${table}
          where (${restaurant}, ${instant}) >= (restaurant.guid, '-infinity')
            and ${instant} is not null
          order by ${restaurant}, ${instant} limit 1) first
        where ${isAtReachedRestaurant(sql, sql`guid`, reach)} and place = guid`;
  return row?.dueAt ?? null;
}
