import type { Sql } from '../../database/database.ts';
import type { PaymentKey } from './store.ts';

/** How an attempt ended, and when it is asked about again: its call may still take effect. */
export interface AttemptOutcome {
  readonly outcome:
    | 'APPROVED'
    | 'DECLINED'
    | 'NOT_PROCESSED'
    | 'UNKNOWN'
    /** An inquiry did not know it. */
    | 'NOT_FOUND'
    /** What it held was given up. */
    | 'REVERSED';
  readonly explanation: string | null;
  readonly processorReference: string | null;
  readonly finishedAt: Date;
  readonly dueAt: Date | null;
  /** How often it was asked about so far; unchanged when absent. */
  readonly followUps?: number;
}

/** Which attempt of which payment. */
export interface AttemptKey extends PaymentKey {
  readonly attempt: number;
}

/** Has an attempt begin at `startedAt`, when that is earlier than what stands there. */
export async function updateAttemptStarted(
  sql: Sql,
  key: AttemptKey,
  startedAt: Date,
): Promise<void> {
  await sql`
    update payment_attempt set started_at = ${startedAt}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${key.attempt} and started_at > ${startedAt}`;
}

/** When an attempt began, and how often it was asked about; null when there is no such attempt. */
export async function findAttempt(
  sql: Sql,
  key: AttemptKey,
): Promise<{ readonly startedAt: Date; readonly followUps: number } | null> {
  const [row] = await sql<{ startedAt: Date; followUps: number }[]>`
    select started_at as "startedAt", follow_ups as "followUps" from payment_attempt
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${key.attempt}`;
  return row ?? null;
}

/**
 * Has an attempt asked about at `dueAt`, when an inquiry did not know it before; an attempt that
 * ended otherwise is left alone.
 */
export async function updateNotFoundDue(sql: Sql, key: AttemptKey, dueAt: Date): Promise<void> {
  await sql`
    update payment_attempt set due_at = ${dueAt}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${key.attempt} and outcome = 'NOT_FOUND'`;
}
