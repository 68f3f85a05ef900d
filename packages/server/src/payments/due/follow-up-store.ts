import type { Sql } from '../../database/database.ts';
import { findNextDueInstant } from '../../reach/next-due-store.ts';
import type { Reach } from '../../support/due-work.ts';
import type { AttemptKey } from '../life/attempt-store.ts';
import type { PaymentState } from '../life/lifecycle.ts';

export interface FollowUpRow extends AttemptKey {
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly processorKey: string;
  readonly dueAt: Date;
  readonly followUps: number;
  /** Questions in a row without an answer. */
  readonly tries: number;
  readonly leaseHolder: string;
  readonly leaseExpiresAt: Date;
}

/** Longest overdue first. `again`: the last question got no answer; `first`: all others. */
export async function claimDueFollowUps(
  sql: Sql,
  now: Date,
  lease: { readonly holder: string; readonly realNow: Date; readonly expiresAt: Date },
  limit: number,
  { first, again }: { readonly first: boolean; readonly again: boolean },
): Promise<FollowUpRow[]> {
  const rows = await sql<FollowUpRow[]>`
    with due as (
      select merchant_guid, payment_uuid, attempt from payment_attempt
      where due_at <= ${now} and (lease_expires_at is null or lease_expires_at <= ${lease.realNow})
        and case when tries = 0 then ${first}::boolean else ${again}::boolean end
      order by due_at limit ${limit} for update skip locked
    )
    update payment_attempt a
    set lease_holder = ${lease.holder}, lease_expires_at = ${lease.expiresAt}
    from due join payment p
      on p.merchant_guid = due.merchant_guid and p.payment_uuid = due.payment_uuid
    where a.merchant_guid = due.merchant_guid and a.payment_uuid = due.payment_uuid
      and a.attempt = due.attempt
    returning a.merchant_guid as "merchantGuid", a.payment_uuid as "paymentUuid", a.attempt,
      p.payment_id as "paymentId", p.state, a.processor_key as "processorKey", a.due_at as "dueAt",
      a.follow_ups as "followUps", a.tries, a.lease_holder as "leaseHolder",
      a.lease_expires_at as "leaseExpiresAt"`;
  return rows.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
}

export function findNextFollowUp(sql: Sql, reach: Reach): Promise<Date | null> {
  return findNextDueInstant(sql, reach, {
    table: sql`payment_attempt`,
    restaurant: sql`merchant_guid`,
    instant: sql`due_at`,
  });
}

export async function findOverdueFollowUps(
  sql: Sql,
  now: Date,
  realNow: Date,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const [row] = await sql<[{ count: number; oldest: Date | null }]>`
    select count(*)::int as count, min(due_at) as oldest from payment_attempt
    where due_at <= ${now} and (lease_expires_at is null or lease_expires_at <= ${realNow})`;
  return row;
}

/** Returns false when another process holds the lease. */
export async function updateFollowUp(
  sql: Sql,
  row: AttemptKey & { readonly leaseHolder: string },
  next: {
    readonly outcome: 'NOT_FOUND' | 'REVERSED';
    readonly dueAt: Date | null;
    readonly followUps: number;
    readonly tries: number;
  },
): Promise<boolean> {
  const result = await sql`
    update payment_attempt
    set outcome = ${next.outcome}, due_at = ${next.dueAt}, follow_ups = ${next.followUps},
      tries = ${next.tries}, lease_holder = null, lease_expires_at = null
    where merchant_guid = ${row.merchantGuid} and payment_uuid = ${row.paymentUuid}
      and attempt = ${row.attempt} and lease_holder = ${row.leaseHolder}`;
  return result.count === 1;
}
