import type { Sql } from '../database/database.ts';
import type { OrderRow } from './order.ts';
import { orderColumns } from './order-store.ts';

/** Which of a restaurant's orders a caller reads. */
export interface OrderSelection {
  readonly restaurantGuid: string;
  /** Null for all: otherwise only those of this partner or group (ORD-8). */
  readonly ownerGuid: string | null;
  readonly by: ByDates | ByBusinessDate;
}

export interface ByDates {
  readonly startDate: Date;
  readonly endDate: Date;
}

export interface ByBusinessDate {
  readonly businessDate: number;
}

/** The place of an order in its list: the time that it is sorted by, and its GUID. */
export interface OrderPlace {
  readonly at: string;
  readonly guid: string;
}

export async function listOrders(
  sql: Sql,
  selection: OrderSelection,
  page: { readonly limit: number; readonly skip: number; readonly after: OrderPlace | null },
): Promise<OrderRow[]> {
  return await sql<OrderRow[]>`
    select ${orderColumns(sql)} from restaurant_order
    where ${conditions(sql, selection)} ${afterPlace(sql, selection, page.after)}
    order by ${sortColumn(sql, selection)}, guid
    limit ${page.limit} offset ${page.skip}`;
}

export async function listOrderGuids(sql: Sql, selection: OrderSelection): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    select guid from restaurant_order
    where ${conditions(sql, selection)}
    order by ${sortColumn(sql, selection)}, guid`;
  return rows.map(({ guid }) => guid);
}

const sortColumn = (sql: Sql, { by }: OrderSelection) =>
  'businessDate' in by ? sql`opened_at` : sql`modified_at`;

function conditions(sql: Sql, { restaurantGuid, ownerGuid, by }: OrderSelection) {
  const dates =
    'businessDate' in by
      ? sql`business_date = ${by.businessDate}`
      : sql`modified_at >= ${by.startDate} and modified_at < ${by.endDate}`;
  const own = ownerGuid === null ? sql`` : sql`and owner_guid = ${ownerGuid}`;
  return sql`restaurant_guid = ${restaurantGuid} and ${dates} ${own}`;
}

function afterPlace(sql: Sql, selection: OrderSelection, after: OrderPlace | null) {
  if (!after) return sql``;
  return sql`and (${sortColumn(sql, selection)}, guid) > (${after.at}::timestamptz, ${after.guid}::uuid)`;
}

export async function listPaymentGuids(
  sql: Sql,
  restaurantGuid: string,
  ownerGuid: string | null,
  by: { readonly paid: number } | { readonly voided: number },
): Promise<string[]> {
  const day =
    'paid' in by
      ? sql`p.paid_business_date = ${by.paid}`
      : sql`p.void_business_date = ${by.voided}`;
  const rows = await sql<{ guid: string }[]>`
    select p.payment_uuid as guid
    from order_payment p
    ${
      ownerGuid === null
        ? sql``
        : sql`join restaurant_order o on o.restaurant_guid = p.restaurant_guid
            and o.guid = p.order_guid and o.owner_guid = ${ownerGuid}`
    }
    where p.restaurant_guid = ${restaurantGuid} and ${day}
    order by p.paid_at, p.payment_uuid`;
  return rows.map(({ guid }) => guid);
}
