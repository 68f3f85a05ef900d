import type { RequestOf } from '@servery/contract';
import { withNames } from '../../audit/actor-store.ts';
import type { Sql } from '../../database/database.ts';
import { only } from '../../database/filter-store.ts';
import type { OrderRow } from '../order.ts';
import { type OrderEvent, orderColumns } from '../order-store.ts';

export interface OfficeOrderPlace {
  readonly createdAt: string;
  readonly guid: string;
}

type Filter = Omit<RequestOf<'backOffice.orders.list'>['query'], 'pageSize' | 'pageToken'>;

/** The newest first. */
export async function listOfficeOrders(
  sql: Sql,
  restaurantGuid: string,
  filter: Filter,
  after: OfficeOrderPlace | null,
  limit: number,
): Promise<OrderRow[]> {
  const { guestOrderStatus, approvalStatus, paymentStatus, businessDate } = filter;
  const { partnerGuid, open, modifiedFrom } = filter;
  const isOpen = sql`guest_status not in ('CLOSED', 'VOIDED')`;
  return await sql<OrderRow[]>`
    select ${orderColumns(sql)} from restaurant_order
    where restaurant_guid = ${restaurantGuid}
      ${only(
        sql,
        guestOrderStatus,
        (status) => sql`guest_status = ${status} ${unusual(sql, status !== 'CLOSED')}`,
      )}
      ${only(
        sql,
        approvalStatus,
        (status) => sql`approval_status = ${status} ${unusual(sql, status !== 'APPROVED')}`,
      )}
      ${only(
        sql,
        paymentStatus,
        (status) =>
          sql`${status}::text = any(payment_statuses) ${unusual(sql, status !== 'CLOSED')}`,
      )}
      ${only(sql, businessDate, (date) => sql`business_date = ${date}`)}
      ${only(sql, partnerGuid, (guid) => sql`owner_guid = ${guid}::uuid`)}
      ${only(sql, open, (wanted) => (wanted ? sql`${isOpen} ${unusual(sql, true)}` : sql`not (${isOpen})`))}
      ${only(sql, modifiedFrom, (from) => sql`modified_at >= ${from}::timestamptz`)}
      ${only(
        sql,
        after,
        ({ createdAt, guid }) => sql`
          (created_at, guid) < (${createdAt}::timestamptz, ${guid}::uuid)`,
      )}
    order by created_at desc, guid desc limit ${limit}`;
}

/** Implied by the condition before it. Written as in the partial index, so that it is used. */
function unusual(sql: Sql, isUnusual: boolean) {
  if (!isUnusual) return sql``;
  return sql`and (guest_status <> 'CLOSED' or approval_status <> 'APPROVED'
    or payment_statuses <> array['CLOSED'])`;
}

export interface StoredOrderEvent extends OrderEvent {
  readonly version: number;
  readonly occurredAt: Date;
  readonly byName: string | null;
}

/** The oldest first. */
export async function listOrderEvents(
  sql: Sql,
  restaurantGuid: string,
  orderGuid: string,
): Promise<StoredOrderEvent[]> {
  const rows = await sql<Omit<StoredOrderEvent, 'byName'>[]>`
    select version, cause, details, occurred_at as "occurredAt", changed_by as by,
      request_id as "requestId"
    from order_event
    where restaurant_guid = ${restaurantGuid} and order_guid = ${orderGuid}
    order by version`;
  return await withNames(sql, rows, ({ by }) => by, 'byName');
}
