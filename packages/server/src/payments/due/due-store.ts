import type { Sql } from '../../database/database.ts';
import { takeFound } from '../../database/take-found.ts';
import { findNextDueInstant } from '../../reach/next-due-store.ts';
import type { Reach } from '../../support/due-work.ts';
import type { Lease } from '../life/lease.ts';
import type { unsettledStates } from '../life/lifecycle.ts';
import { listed, type PaymentKey, type PaymentRow, paymentColumns } from '../life/store.ts';
import type { PassedOver } from './lanes.ts';

type UnsettledState = (typeof unsettledStates)[number];

const dueTables = {
  payment: (sql: Sql) => sql`payment`,
  lateApprovalInquiry: (sql: Sql) => sql`payment_attempt`,
};

/** Names of work in metrics and in what a move of the clock did. */
export type WorkKind = keyof typeof dueTables;

export const workKinds = Object.keys(dueTables) as WorkKind[];

export type HeldLease = Lease & { readonly realNow: Date };

/** Leases run by `realNow`. */
export function isDue(sql: Sql, now: Date, realNow: Date, of = sql``) {
  const expiry = sql`${of}lease_expires_at`;
  return sql`${of}due_at <= ${now} and (${expiry} is null or ${expiry} <= ${realNow})`;
}

/**
 * Longest overdue first. The condition of the update decides between processes that found the same
 * payments: PostgreSQL checks it again on the newest version of a row that another one changed.
 */
export async function claimDuePayments(
  sql: Sql,
  now: Date,
  lease: HeldLease,
  limit: number,
  { first, again }: PassedOver = { first: [], again: [] },
): Promise<PaymentRow[]> {
  const rows = await takeFound(
    () => sql<PaymentKey[]>`
      select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid" from payment
      where ${isDue(sql, now, lease.realNow)}
        and state <> all(case when tries = 0 then ${[...first]}::text[] else ${[...again]} end)
      order by due_at limit ${limit}`,
    (due) => {
      const keys = listed(sql, due);
      return sql<PaymentRow[]>`
        update payment
        set lease_holder = ${lease.leaseHolder}, lease_expires_at = ${lease.leaseExpiresAt}
        from ${keys.rows}
        where merchant_guid = listed.merchant and payment_uuid = listed.uuid
          and ${keys.isAtMerchants} and ${isDue(sql, now, lease.realNow)}
        returning ${paymentColumns(sql)}`;
    },
  );
  return rows.toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt));
}

export function findNextDue(sql: Sql, kind: WorkKind, reach: Reach): Promise<Date | null> {
  return findNextDueInstant(sql, reach, {
    table: dueTables[kind](sql),
    restaurant: sql`merchant_guid`,
    instant: sql`due_at`,
  });
}

export async function findOverdue(
  sql: Sql,
  kind: WorkKind,
  now: Date,
  realNow: Date,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const [row] = await sql<[{ count: number; oldest: Date | null }]>`
    select count(*)::int as count, min(due_at) as oldest from ${dueTables[kind](sql)}
    where ${isDue(sql, now, realNow)}`;
  return row;
}

/** The states are written out so that PostgreSQL can use their index. */
export function listUnsettled(sql: Sql) {
  return sql<{ state: UnsettledState; count: number; oldest: Date }[]>`
    select state, count(*)::int as count, min(modified_at) as oldest from payment
    where state in ('PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'CAPTURE_PENDING', 'VOID_PENDING')
    group by state`;
}

/**
 * After a sandbox's clock went back, calls for the processor that are due after `latest` become due
 * at `now`. Failed deadline work that was put off returns to its deadline.
 */
export async function updateWaitingDue(sql: Sql, now: Date, latest: Date): Promise<void> {
  await sql`
    update payment
    set due_at = ${now}
    where due_at > ${latest} and state in ('PENDING', 'UNKNOWN', 'REVERSAL_PENDING',
      'VOID_PENDING', 'CAPTURE_PENDING')`;
  await sql`
    update payment
    set due_at = greatest(${now}::timestamptz, ${deadlineOf(sql)})
    where due_at > ${latest} and tries > 0
      and state in ('AUTHORIZED', 'APPLIED', 'CAPTURE_SCHEDULED') and due_at > ${deadlineOf(sql)}`;
}

function deadlineOf(sql: Sql) {
  return sql`case state
    when 'AUTHORIZED' then apply_deadline
    when 'APPLIED' then capture_deadline
    else least(capture_at, capture_deadline)
  end`;
}

/** Changes nothing when another process holds the lease. */
export async function updateLeaseGivenBack(
  sql: Sql,
  held: PaymentKey & Pick<PaymentRow, 'leaseHolder'>,
): Promise<void> {
  await sql`
    update payment set lease_holder = null, lease_expires_at = null
    where merchant_guid = ${held.merchantGuid} and payment_uuid = ${held.paymentUuid}
      and lease_holder = ${held.leaseHolder}`;
}

/** False when another process moved the payment or took it over: that one puts it off. */
export async function updatePaymentDue(
  sql: Sql,
  expected: PaymentKey & Pick<PaymentRow, 'version' | 'leaseHolder'>,
  dueAt: Date | null,
  tries: number,
): Promise<boolean> {
  const result = await sql`
    update payment
    set due_at = ${dueAt}, tries = ${tries}, lease_holder = null, lease_expires_at = null
    where merchant_guid = ${expected.merchantGuid} and payment_uuid = ${expected.paymentUuid}
      and version = ${expected.version}
      and lease_holder is not distinct from ${expected.leaseHolder}`;
  return result.count === 1;
}
