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
 * Within a reach, it reads the open rows of the reached restaurants only. Without the groups,
 * PostgreSQL could walk through all open rows in the order of their instants. A limit for each
 * restaurant would read fewer, but a cluster refuses it.
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
        select min(first) as "dueAt" from (
          select min(${instant}) as first from ${table}
          where ${instant} is not null and ${isAtReachedRestaurant(sql, restaurant, reach)}
          group by ${restaurant}) as of_restaurant`;
  return row?.dueAt ?? null;
}
