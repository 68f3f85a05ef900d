import type { Sql } from '../../database/database.ts';
import { takeFound } from '../../database/take-found.ts';
import { listed, type PaymentKey } from '../life/store.ts';

export interface RemovedGuest extends PaymentKey {
  readonly createdAt: Date;
}

/** The oldest due guest data, else the oldest not yet due. Both come from an index. */
export async function findOldestGuestTime(sql: Sql, cutoff: Date): Promise<Date | null> {
  const [row] = await sql<{ oldest: Date | null }[]>`
    select coalesce(
      (select g.created_at from payment_guest g
        join payment p on p.merchant_guid = g.merchant_guid and p.payment_uuid = g.payment_uuid
        where g.created_at <= ${cutoff} and ${isOver(sql)}
        order by g.created_at limit 1),
      (select min(created_at) from payment_guest where created_at > ${cutoff})) as oldest`;
  return row?.oldest ?? null;
}

/** Oldest first. Returns nothing only if nothing is due. */
export async function deleteDueGuests(
  sql: Sql,
  cutoff: Date,
  limit: number,
): Promise<RemovedGuest[]> {
  const rows = await takeFound(
    () => sql<PaymentKey[]>`
      select g.merchant_guid as "merchantGuid", g.payment_uuid as "paymentUuid"
      from payment_guest g
      join payment p on p.merchant_guid = g.merchant_guid and p.payment_uuid = g.payment_uuid
      where g.created_at <= ${cutoff} and ${isOver(sql)}
      order by g.created_at, g.merchant_guid, g.payment_uuid
      limit ${limit}`,
    (due) => {
      const keys = listed(sql, due);
      return sql<RemovedGuest[]>`
        delete from payment_guest using ${keys.rows}
        where merchant_guid = listed.merchant and payment_uuid = listed.uuid
          and ${keys.isAtMerchants}
        returning merchant_guid as "merchantGuid", payment_uuid as "paymentUuid",
          created_at as "createdAt"`;
    },
  );
  return rows.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** A payment in REVIEW keeps its data until all its alarms are acknowledged. */
function isOver(sql: Sql) {
  return sql`(p.state in ('DENIED', 'ABORTED', 'REVERSED', 'CAPTURED', 'VOIDED')
    or p.state = 'REVIEW' and not exists (
      select from payment_alarm a
      where a.merchant_guid = p.merchant_guid and a.payment_uuid = p.payment_uuid
        and a.acknowledged_at is null))`;
}
