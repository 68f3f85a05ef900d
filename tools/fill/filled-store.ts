import type { Sql } from '@servery/server/database/database.ts';

/** Which payments there are and how they stand, in the order of their restaurants. */
export async function listFilledPayments(
  sql: Sql,
): Promise<{ merchantGuid: string; paymentUuid: string; state: string }[]> {
  return await sql<{ merchantGuid: string; paymentUuid: string; state: string }[]>`
    select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", state from payment
    order by merchant_guid, payment_uuid`;
}

/** How many rows each table has that is filled. */
export async function listRowCounts(sql: Sql): Promise<{ name: string; rows: number }[]> {
  return await sql<{ name: string; rows: number }[]>`
    select 'payment' as name, count(*)::integer as rows from payment
    union all select 'payment_event', count(*)::integer from payment_event
    union all select 'payment_guest', count(*)::integer from payment_guest
    union all select 'payment_attempt', count(*)::integer from payment_attempt
    union all select 'restaurant', count(*)::integer from restaurant
    union all select 'management_group', count(*)::integer from management_group
    union all select 'management_group_partner', count(*)::integer from management_group_partner
    union all select 'configuration_object', count(*)::integer from configuration_object
    union all select 'stock', count(*)::integer from stock
    union all select 'stock_change', count(*)::integer from stock_change
    union all select 'connection', count(*)::integer from connection
    union all select 'partner_event', count(distinct (partner_guid, position))::integer
      from partner_event`;
}

/** Writes every event of a payment a second time, which must not be. */
export async function insertEventsAgain(sql: Sql): Promise<void> {
  await sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    select merchant_guid, payment_uuid, version, previous_version, from_state, cause, to_state,
      attempt, details, occurred_at, guid, previous_digest
    from payment_event`;
}
