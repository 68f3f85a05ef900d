import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';

type Sql = postgres.Sql;
type Row = Record<string, postgres.ParameterOrJSON<never>>;

/** The rows of an order that was placed with a card payment, which others are made after. */
export interface OrderRows {
  readonly order: Row;
  readonly guest: Row;
  readonly externalId: Row;
  readonly orderPayment: Row;
  readonly payment: Row;
  readonly paymentEvent: Row;
  readonly stockChange: Row;
  readonly orderEvent: Row;
  readonly auditEntries: readonly Row[];
  /** Of the counter that tells other processes that the stock changed. */
  readonly bucket: number;
}

/** Throws if the order isn't one with one check, payment and counted item. */
export async function findOrderRows(
  sql: Sql,
  orderGuid: string,
  bucket: number,
): Promise<OrderRows> {
  const one = async (statement: postgres.PendingQuery<Row[]>): Promise<Row> => {
    const rows = await statement;
    const [row] = rows;
    if (!row || rows.length > 1) throw new Error(`order ${orderGuid} is no pattern`);
    return row;
  };
  const ofOrder = sql`where order_guid = ${orderGuid}`;
  const orderPayment = await one(sql`select * from order_payment ${ofOrder}`);
  const uuid = orderPayment.payment_uuid as string;
  const orderEvent = await one(sql`select * from order_event ${ofOrder}`);
  const auditEntries = await sql<Row[]>`
    select * from audit_entry where request_id = ${orderEvent.request_id as string}`;
  return {
    order: await one(sql`select * from restaurant_order where guid = ${orderGuid}`),
    guest: await one(sql`select * from order_guest ${ofOrder}`),
    externalId: await one(sql`select * from order_external_id ${ofOrder}`),
    orderPayment,
    payment: await one(sql`select * from payment where payment_uuid = ${uuid}`),
    paymentEvent: await one(sql`
      select * from payment_event where payment_uuid = ${uuid} order by version desc limit 1`),
    stockChange: await one(sql`select * from stock_change ${ofOrder}`),
    orderEvent,
    auditEntries: auditEntries.map(({ digest: _, ...entry }) => entry),
    bucket,
  };
}

/** What of a payment changes when it is applied to a check. */
const APPLIED = 'state version check_guid order_guid due_at modified_at event_digest'.split(' ');

/**
 * Places an order in one transaction of two round trips: what has to be read under the lock of the
 * restaurant, and what is written. A statement for each table, as few as there can be.
 */
export async function insertOrder(sql: Sql, rows: OrderRows, paymentUuid: string): Promise<void> {
  const { order, stockChange } = rows;
  const restaurant = order.restaurant_guid as string;
  const externalId = `bench:${paymentUuid}`;
  const item = stockChange.item_guid as string;
  const [, , , payments, [stock], [newest], [numbers]] = await Promise.all([
    sql`begin`,
    sql`select publish_number, time_zone from restaurant where guid = ${restaurant}
      for no key update`,
    sql`select guid from order_external_id
      where restaurant_guid = ${restaurant} and owner_guid = ${order.owner_guid as string}
        and kind = 'ORDER' and external_id = ${externalId}`,
    sql`select * from payment
      where merchant_guid = ${restaurant} and payment_uuid = ${paymentUuid}`,
    sql`select stock.quantity - 1 as left, newest.version + 1 as version
      from stock, lateral (
        select version from stock_change
        where restaurant_guid = stock.restaurant_guid and item_guid = stock.item_guid
        order by version desc limit 1
      ) as newest
      where stock.restaurant_guid = ${restaurant} and stock.item_guid = ${item}`,
    sql`select modified_at + interval '1 millisecond' as next from restaurant_order
      where restaurant_guid = ${restaurant} order by modified_at desc limit 1`,
    sql`update order_number set orders = orders + 1, checks = checks + 1
      where restaurant_guid = ${restaurant}
        and business_date = ${order.business_date as number}
      returning orders`,
  ]);
  if (payments.length !== 1) throw new Error(`payment ${paymentUuid} isn't there`);
  const [guid, check] = [randomUUID(), randomUUID()];
  const at = newest?.next as Date;
  const ofOrder = { order_guid: guid };
  const { digest: _, ...paymentEvent } = rows.paymentEvent;
  const payment: Row = { ...rows.payment, order_guid: guid, check_guid: check };
  const entries = rows.auditEntries.map((entry) => ({ ...entry, guid: randomUUID() }));
  await Promise.all([
    sql`insert into restaurant_order ${sql({
      ...{ ...order, guid, external_id: externalId, check_guids: [check] },
      ...{ display_number: String(numbers?.orders), modified_at: at },
    })}`,
    sql`insert into order_guest ${sql({ ...rows.guest, ...ofOrder })}`,
    sql`insert into order_external_id ${sql({
      ...{ ...rows.externalId, ...ofOrder, guid, external_id: externalId },
    })}`,
    sql`insert into order_payment ${sql({
      ...{ ...rows.orderPayment, ...ofOrder, payment_uuid: paymentUuid, check_guid: check },
    })}`,
    sql`insert into payment_event ${sql({ ...paymentEvent, payment_uuid: paymentUuid })}`,
    sql`update payment set ${sql(payment, APPLIED)}
      where merchant_guid = ${restaurant} and payment_uuid = ${paymentUuid} and version = 2`,
    sql`update stock set quantity = ${stock?.left}, modified_at = ${at}
      where restaurant_guid = ${restaurant} and item_guid = ${item}`,
    sql`insert into stock_change ${sql({
      ...{ ...stockChange, ...ofOrder, guid: randomUUID(), version: stock?.version },
      ...{ quantity_after: stock?.left, changed_at: at },
    })}`,
    sql`insert into order_event ${sql({ ...rows.orderEvent, ...ofOrder, occurred_at: at })}`,
    sql`insert into audit_entry ${sql(entries)}`,
    sql`insert into audit_unsealed ${sql(entries.map((entry) => ({ entry_guid: entry.guid })))}`,
    sql`update change_mark set revision = revision + 1, changed_in = pg_current_xact_id()
      where bucket = ${rows.bucket}`,
    sql`commit`,
  ]);
}
