import type { Sql } from '../../database/database.ts';
import { takeFound } from '../../database/take-found.ts';
import type { AttemptKey } from '../life/attempt-store.ts';
import type { Lease } from '../life/lease.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import { type HeldLease, isDue } from './due-store.ts';

export interface FollowUpRow extends AttemptKey, Lease {
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly processorKey: string;
  readonly dueAt: Date;
  readonly followUps: number;
  /** Questions in a row without an answer. */
  readonly tries: number;
}

/** Longest overdue first. `again`: the last question got no answer; `first`: all others. */
export async function claimDueFollowUps(
  sql: Sql,
  now: Date,
  lease: HeldLease,
  limit: number,
  { first, again }: { readonly first: boolean; readonly again: boolean },
): Promise<FollowUpRow[]> {
  const rows = await takeFound(
    () => sql<AttemptKey[]>`
      select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", attempt
      from payment_attempt
      where ${isDue(sql, now, lease.realNow)}
        and case when tries = 0 then ${first}::boolean else ${again}::boolean end
      order by due_at limit ${limit}`,
    (due) => {
      const attempts = due.map(({ attempt }) => attempt);
      const merchants = sql`${due.map(({ merchantGuid }) => merchantGuid)}::uuid[]`;
      const uuids = sql`${due.map(({ paymentUuid }) => paymentUuid)}::uuid[]`;
      // Only one process wins, as in the update of `claimDuePayments`.
      return sql<FollowUpRow[]>`
        update payment_attempt a
        set lease_holder = ${lease.leaseHolder}, lease_expires_at = ${lease.leaseExpiresAt}
        from payment p,
          unnest(${merchants}, ${uuids}, ${attempts}::integer[])
            as listed (merchant, uuid, attempt)
        where a.merchant_guid = listed.merchant and a.payment_uuid = listed.uuid
          and a.attempt = listed.attempt and a.merchant_guid = any(${merchants})
          and p.merchant_guid = a.merchant_guid and p.payment_uuid = a.payment_uuid
          and ${isDue(sql, now, lease.realNow, sql`a.`)}
        returning a.merchant_guid as "merchantGuid", a.payment_uuid as "paymentUuid", a.attempt,
          p.payment_id as "paymentId", p.state, a.processor_key as "processorKey",
          a.due_at as "dueAt", a.follow_ups as "followUps", a.tries,
          a.lease_holder as "leaseHolder", a.lease_expires_at as "leaseExpiresAt"`;
    },
  );
  return rows.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
}

/** Does nothing when another process holds the lease. */
export async function updateFollowUp(
  sql: Sql,
  row: AttemptKey & Pick<Lease, 'leaseHolder'>,
  next: Pick<FollowUpRow, 'followUps' | 'tries'> & {
    readonly dueAt: Date | null;
    readonly outcome?: 'REVERSED';
  },
): Promise<void> {
  await sql`
    update payment_attempt
    set outcome = ${next.outcome ?? 'NOT_FOUND'}, due_at = ${next.dueAt},
      follow_ups = ${next.followUps}, tries = ${next.tries}, lease_holder = null,
      lease_expires_at = null
    where merchant_guid = ${row.merchantGuid} and payment_uuid = ${row.paymentUuid}
      and attempt = ${row.attempt} and lease_holder = ${row.leaseHolder}`;
}
