import type { Sql } from '../../database/database.ts';
import { takeFound } from '../../database/take-found.ts';
import { findNextDueInstant } from '../../reach/next-due-store.ts';
import type { Reach } from '../../support/due-work.ts';

export interface DueOrder {
  readonly restaurantGuid: string;
  readonly orderGuid: string;
  readonly dueAt: Date;
}

export function findNextDueOrder(sql: Sql, reach: Reach): Promise<Date | null> {
  return findNextDueInstant(sql, reach, {
    table: sql`restaurant_order`,
    restaurant: sql`restaurant_guid`,
    instant: sql`due_at`,
  });
}

/** Earliest first. */
export async function listDueOrders(
  sql: Sql,
  now: Date,
  tried: readonly string[],
  limit: number,
): Promise<DueOrder[]> {
  return await sql<DueOrder[]>`
    select restaurant_guid as "restaurantGuid", guid as "orderGuid", due_at as "dueAt"
    from restaurant_order
    where due_at <= ${now} and guid <> all(string_to_array(${tried.join(' ')}, ' ')::uuid[])
    order by due_at, restaurant_guid, guid limit ${limit}`;
}

/** For an order whose next step is another than when it was stored: settings have changed. */
export async function updateOrderDue(
  sql: Sql,
  { restaurantGuid, orderGuid }: Omit<DueOrder, 'dueAt'>,
  dueAt: Date | null,
): Promise<void> {
  await sql`
    update restaurant_order set due_at = ${dueAt}
    where restaurant_guid = ${restaurantGuid} and guid = ${orderGuid}`;
}

/**
 * Has all open orders looked at again. For a simulated kitchen that was just switched on: it has
 * work to do long before the next step that was stored for them.
 */
export async function updateOpenOrdersDue(sql: Sql, dueAt: Date): Promise<void> {
  await sql`
    update restaurant_order set due_at = ${dueAt}
    where voided_at is null and fulfilled_at is null and (due_at is null or due_at > ${dueAt})`;
}

export interface ErasedGuests {
  readonly restaurantGuid: string;
  readonly businessDate: number;
}

export async function findOldestGuests(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ businessDate: number }[]>`
    select business_date as "businessDate" from order_guest order by business_date limit 1`;
  return row?.businessDate ?? null;
}

/** Returns nothing only if nothing is left. */
export async function deleteGuests(
  sql: Sql,
  before: number,
  limit: number,
): Promise<readonly ErasedGuests[]> {
  return await takeFound(
    () => sql<Omit<DueOrder, 'dueAt'>[]>`
      select restaurant_guid as "restaurantGuid", order_guid as "orderGuid" from order_guest
      where business_date < ${before}
      order by business_date, restaurant_guid, order_guid limit ${limit}`,
    (old) => {
      const restaurants = sql`${old.map(({ restaurantGuid }) => restaurantGuid)}::uuid[]`;
      return sql<ErasedGuests[]>`
        delete from order_guest
        using unnest(${restaurants}, ${old.map(({ orderGuid }) => orderGuid)}::uuid[])
          as old (restaurant, guid)
        where restaurant_guid = old.restaurant and order_guid = old.guid
          and restaurant_guid = any(${restaurants})
        returning restaurant_guid as "restaurantGuid", business_date as "businessDate"`;
    },
  );
}
