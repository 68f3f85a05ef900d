import type { Sql } from '../database/database.ts';
import type { Reach } from './reach.ts';
import { isAtReachedRestaurant } from './reach-store.ts';

type Fragment = ReturnType<Sql>;

/** Where the work of a table's rows falls due. */
export interface DueColumns {
  readonly table: Fragment;
  readonly restaurant: Fragment;
  /** The instant at which it is due, or null; the table has an index by it, and one by both. */
  readonly instant: Fragment;
}

/**
 * The earliest instant at which work within reach is due, whoever works on it, or null. Reads one
 * index entry, or one for each restaurant within reach, whatever is open elsewhere. That entry is
 * the first from the restaurant on, and may be the next restaurant's: asked for the restaurant's
 * own, PostgreSQL may walk through all that is open by its instant instead.
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
