import type { Sql } from '../database/database.ts';
import { heldRestaurant } from '../reach/hold-store.ts';
import { findNextDueInstant } from '../reach/next-due-store.ts';
import type { Reach } from '../support/due-work.ts';

export interface DueRestaurant {
  readonly restaurantGuid: string;
  readonly dueAt: Date;
}

export interface DueItem {
  readonly itemGuid: string;
  readonly until: Date;
}

export function findNextRestoration(sql: Sql, reach: Reach): Promise<Date | null> {
  return findNextDueInstant(sql, reach, {
    table: sql`stock`,
    restaurant: sql`restaurant_guid`,
    instant: sql`until`,
  });
}

export async function listDueRestaurants(
  sql: Sql,
  now: Date,
  tried: readonly string[],
  limit: number,
): Promise<DueRestaurant[]> {
  return await sql<DueRestaurant[]>`
    select restaurant_guid as "restaurantGuid", min(until) as "dueAt"
    from stock
    where until <= ${now}
      and restaurant_guid <> all(string_to_array(${tried.join(' ')}, ' ')::uuid[])
    group by restaurant_guid order by min(until), restaurant_guid limit ${limit}`;
}

/** False at once when another transaction holds the lock. */
export async function findRestaurantUnlocked(sql: Sql, restaurantGuid: string): Promise<boolean> {
  const rows = await sql`
    ${heldRestaurant(sql, sql`guid`, restaurantGuid, sql`skip locked`)}`;
  return rows.length === 1;
}

export async function listDueItems(
  sql: Sql,
  restaurantGuid: string,
  now: Date,
): Promise<DueItem[]> {
  return await sql<DueItem[]>`
    select item_guid as "itemGuid", until from stock
    where restaurant_guid = ${restaurantGuid} and until <= ${now}
    order by until, item_guid`;
}
