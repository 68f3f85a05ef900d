import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import type { NewEvent, PaymentChange, PaymentKey, PaymentRow } from './store.ts';

export interface StoredMove {
  readonly event: NewEvent;
  readonly change: PaymentChange;
  readonly ended: AttemptOutcome | null;
  readonly begunKey: string | null;
}

/**
 * Moves a payment if it still has the version and state of `expected`. One statement writes the
 * event, the payment and the attempts. Returns no row and writes nothing when somebody else moved
 * the payment; waits for a concurrent insert of the same version.
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
 * If the event's version was free but the payment isn't as expected, the cast of this sentence to a
 * number fails and undoes everything. It names a column so that PostgreSQL doesn't evaluate it
 * early.
 */
const movedVersion = (sql: Sql) => sql`
  case when exists (select from moved) then event.version
    else ('the payment is not in the version before its event ' || event.version)::integer end`;

/** Without a conflict target, because a racing insert can hit either of two unique indexes. */
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

/** Keeps a known reference. */
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
