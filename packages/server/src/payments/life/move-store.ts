import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import type { NewEvent, PaymentChange, PaymentKey, PaymentRow } from './store.ts';

/** A change of a payment's state with all that is always written with it. */
export interface StoredMove {
  readonly event: NewEvent;
  readonly change: PaymentChange;
  /** How the present attempt ended; null when it goes on. */
  readonly ended: AttemptOutcome | null;
  /** The processor's key of the attempt that begins; null when none does. */
  readonly begunKey: string | null;
}

/**
 * Moves a payment on that still is in the version and state that `expected` has (compare-and-set):
 * inserts the event of the next version, updates the payment, ends and begins attempts. It is
 * one statement, and a transaction when nothing else is in it. It answers one row; none, with
 * nothing written, when the event's version exists, because somebody else moved the payment. A
 * concurrent insert of that version is waited for.
 */
export function insertMove(
  sql: Sql,
  expected: PaymentKey & Pick<PaymentRow, 'version' | 'state' | 'attempt'>,
  { event, change, ended, begunKey }: StoredMove,
): Statement<{ version: number }[]> {
  return sql<{ version: number }[]>`
    with event as (${nextEvent(sql, expected, event)}),
    moved as (${changedPayment(sql, expected, change, event.occurredAt)})
    ${ended ? sql`, ended as (${endedAttempt(sql, expected, ended)})` : sql``}
    ${begunKey ? sql`, begun as (${begunAttempt(sql, event, begunKey)})` : sql``}
    select ${movedVersion(sql)} as version from event`;
}

/**
 * The event's version was free, so the payment must have been as expected. When it was not, all is
 * undone: the sentence is no number. It names a column, or it would be read before any row is.
 */
const movedVersion = (sql: Sql) => sql`
  case when exists (select from moved) then event.version
    else ('the payment is not in the version before its event ' || event.version)::integer end`;

/**
 * No conflict target is named: two unique indexes begin with the version's key, and a racing
 * insert may meet either of them first.
 */
function nextEvent(sql: Sql, { merchantGuid, paymentUuid }: PaymentKey, event: NewEvent) {
  const previous = event.version - 1;
  return sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    values (${merchantGuid}, ${paymentUuid}, ${event.version}, ${previous}, ${event.from},
      ${event.cause}, ${event.to}, ${event.attempt},
      ${event.details && sql.json(event.details)}, ${event.occurredAt}, ${event.guid},
      (select digest from payment_event where merchant_guid = ${merchantGuid}
        and payment_uuid = ${paymentUuid} and version = ${previous}))
    on conflict do nothing
    returning merchant_guid, payment_uuid, version, digest`;
}

function changedPayment(
  sql: Sql,
  expected: PaymentKey & Pick<PaymentRow, 'version' | 'state'>,
  change: PaymentChange,
  modifiedAt: Date,
) {
  return sql`
    update payment
    set state = ${change.state}, version = payment.version + 1, attempt = ${change.attempt},
      authorization_code = ${change.authorizationCode}, response_code = ${change.responseCode},
      denial_reason = ${change.denialReason}, error = ${change.error},
      authorized_at = ${change.authorizedAt}, apply_deadline = ${change.applyDeadline},
      capture_deadline = ${change.captureDeadline}, capture_at = ${change.captureAt},
      captured_minor = ${change.capturedMinor}, check_guid = ${change.checkGuid},
      void_reason = ${change.voidReason}, due_at = ${change.dueAt}, tries = ${change.tries},
      lease_holder = ${change.leaseHolder}, lease_expires_at = ${change.leaseExpiresAt},
      modified_at = ${modifiedAt}, event_digest = event.digest
    from event
    where payment.merchant_guid = ${expected.merchantGuid}
      and payment.payment_uuid = ${expected.paymentUuid}
      and payment.version = ${expected.version} and payment.state = ${expected.state}
    returning 1`;
}

/** A reference that is known stays known. */
function endedAttempt(
  sql: Sql,
  { merchantGuid, paymentUuid, attempt }: PaymentKey & Pick<PaymentRow, 'attempt'>,
  outcome: AttemptOutcome,
) {
  return sql`
    update payment_attempt
    set outcome = ${outcome.outcome}, explanation = ${outcome.explanation},
      processor_reference = coalesce(${outcome.processorReference}, processor_reference),
      finished_at = ${outcome.finishedAt},
      due_at = ${outcome.dueAt}, follow_ups = coalesce(${outcome.followUps ?? null}, follow_ups),
      tries = 0, lease_holder = null, lease_expires_at = null
    from event
    where payment_attempt.merchant_guid = ${merchantGuid}
      and payment_attempt.payment_uuid = ${paymentUuid} and payment_attempt.attempt = ${attempt}`;
}

function begunAttempt(sql: Sql, { attempt, occurredAt }: NewEvent, processorKey: string) {
  return sql`
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at)
    select event.merchant_guid, event.payment_uuid, ${attempt}::integer, ${processorKey},
      ${occurredAt}::timestamptz
    from event`;
}
