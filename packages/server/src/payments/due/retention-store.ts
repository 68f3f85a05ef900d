import type { Sql } from '../../database/database.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import type { PaymentKey } from '../life/store.ts';

/** Whose guest data were removed, and since when they had been there. */
export interface RemovedGuest extends PaymentKey {
  readonly createdAt: Date;
}

/** What decides whether guest data are removed. */
export interface RemovalRule {
  /** Guest data that came at this instant or before are due. */
  readonly cutoff: Date;
  /** The states of payments that are over. */
  readonly states: readonly PaymentState[];
}

/**
 * When the oldest guest data came that are due and may go; when there are none, when the oldest
 * came that are not due yet. Null when nothing waits. Both are read from an index: only due rows
 * are looked at more closely, and of those few stay.
 */
export async function findOldestGuestTime(sql: Sql, rule: RemovalRule): Promise<Date | null> {
  const [row] = await sql<{ oldest: Date | null }[]>`
    select coalesce(
      (select g.created_at from payment_guest g
        join payment p on p.merchant_guid = g.merchant_guid and p.payment_uuid = g.payment_uuid
        where g.created_at <= ${rule.cutoff} and ${isOver(sql, rule)}
        order by g.created_at limit 1),
      (select min(created_at) from payment_guest where created_at > ${rule.cutoff})) as oldest`;
  return row?.oldest ?? null;
}

/**
 * Removes the guest data of at most `limit` payments, the oldest first. Rows that another process
 * is removing are waited for when `waits`, and else left to it.
 */
export async function deleteDueGuests(
  sql: Sql,
  rule: RemovalRule,
  options: { readonly limit: number; readonly waits: boolean },
): Promise<RemovedGuest[]> {
  const rows = await sql<RemovedGuest[]>`
    with due as (
      select g.merchant_guid, g.payment_uuid from payment_guest g
      join payment p on p.merchant_guid = g.merchant_guid and p.payment_uuid = g.payment_uuid
      where g.created_at <= ${rule.cutoff} and ${isOver(sql, rule)}
      order by g.created_at, g.merchant_guid, g.payment_uuid
      limit ${options.limit} for update of g ${options.waits ? sql`` : sql`skip locked`})
    delete from payment_guest g using due
    where g.merchant_guid = due.merchant_guid and g.payment_uuid = due.payment_uuid
    returning g.merchant_guid as "merchantGuid", g.payment_uuid as "paymentUuid",
      g.created_at as "createdAt"`;
  return [...rows].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** In REVIEW a payment waits for a person, who may need all, until nobody is alarmed any more. */
function isOver(sql: Sql, { states }: RemovalRule) {
  return sql`(p.state = any(${[...states]}::text[]) or p.state = 'REVIEW' and not exists (
    select from payment_alarm a
    where a.merchant_guid = p.merchant_guid and a.payment_uuid = p.payment_uuid
      and a.acknowledged_at is null))`;
}
