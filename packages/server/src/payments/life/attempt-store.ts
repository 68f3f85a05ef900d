import type { Sql } from '../../database/database.ts';
import type { PaymentKey } from './store.ts';

/** `dueAt`: when to ask again, because the call may still take effect. */
export interface AttemptOutcome {
  readonly outcome:
    | 'APPROVED'
    | 'DECLINED'
    | 'NOT_PROCESSED'
    | 'UNKNOWN'
    | 'NOT_FOUND'
    | 'REVERSED';
  readonly explanation: string | null;
  readonly processorReference: string | null;
  readonly dueAt: Date | null;
  readonly followUps?: number;
}

export interface AttemptKey extends PaymentKey {
  readonly attempt: number;
}

/** `sentBefore`: known only once the sandbox's clock went back. */
export interface AttemptRow {
  readonly startedAt: Date;
  readonly sentBefore: Date | null;
  readonly followUps: number;
}

/**
 * A statement of its own: if an insert reads rows that another step wrote, a cluster sends them to
 * all of its nodes.
 */
export async function insertAttempt(
  sql: Sql,
  key: AttemptKey,
  processorKey: string,
  startedAt: Date,
): Promise<void> {
  await sql`
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at)
    values (${key.merchantGuid}, ${key.paymentUuid}, ${key.attempt}, ${processorKey}, ${startedAt})`;
}

export async function updateSentBefore(sql: Sql, key: AttemptKey, before: Date): Promise<void> {
  await sql`
    update payment_attempt set sent_before = ${before}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${key.attempt}`;
}

export async function findAttempt(sql: Sql, key: AttemptKey): Promise<AttemptRow | null> {
  const [row] = await sql<AttemptRow[]>`
    select started_at as "startedAt", sent_before as "sentBefore", follow_ups as "followUps"
    from payment_attempt
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${key.attempt}`;
  return row ?? null;
}

/** Changes only attempts that an inquiry didn't find. */
export async function updateNotFoundDue(sql: Sql, key: AttemptKey, dueAt: Date): Promise<void> {
  await sql`
    update payment_attempt set due_at = ${dueAt}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${key.attempt} and outcome = 'NOT_FOUND'`;
}
