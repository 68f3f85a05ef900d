import type { RequestOf } from '@servery/contract';
import { whoMade } from '../../audit/actor-store.ts';
import type { Sql } from '../../database/database.ts';
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
  const only = (wanted: unknown, condition: ReturnType<Sql>) =>
    wanted === undefined ? sql`` : sql`and ${condition}`;
  const isOpen = sql`guest_status not in ('CLOSED', 'VOIDED')`;
  return await sql<OrderRow[]>`
    select ${orderColumns(sql)} from restaurant_order
    where restaurant_guid = ${restaurantGuid}
      ${only(guestOrderStatus, sql`guest_status = ${guestOrderStatus ?? ''}`)}
      ${only(approvalStatus, sql`approval_status = ${approvalStatus ?? ''}`)}
      ${only(
        paymentStatus,
        sql`exists (select from json_array_elements(content -> 'checks') as item
          where item ->> 'paymentStatus' = ${paymentStatus ?? ''})`,
      )}
      ${only(businessDate, sql`business_date = ${businessDate ?? 0}`)}
      ${only(partnerGuid, sql`owner_guid = ${partnerGuid ?? null}::uuid`)}
      ${only(open, open ? isOpen : sql`not (${isOpen})`)}
      ${only(modifiedFrom, sql`modified_at >= ${modifiedFrom ?? null}::timestamptz`)}
      ${
        after
          ? sql`and (created_at, guid) < (${after.createdAt}::timestamptz, ${after.guid}::uuid)`
          : sql``
      }
    order by created_at desc, guid desc limit ${limit}`;
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
  return await sql<StoredOrderEvent[]>`
    select change.version, change.cause, change.details, change.occurred_at as "occurredAt",
      change.changed_by as by, who.name as "byName", change.request_id as "requestId"
    from order_event as change
    left join lateral ${whoMade(sql)} as who on true
    where change.restaurant_guid = ${restaurantGuid} and change.order_guid = ${orderGuid}
    order by change.version`;
}
