import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import { isUnwanted, type WantedEvents } from '../../webhooks/delivery/restaurant-event-store.ts';
import type { AttemptOutcome } from './attempt-store.ts';
import type { PaymentMove } from './outcome.ts';
import type { PaymentRow } from './store.ts';

/** `guid` tells who wrote the event after a lost COMMIT. */
export type StoredMove = Pick<PaymentMove, 'cause' | 'details' | 'ended'> & {
  readonly guid: string;
};

/**
 * Moves a payment if it still has the version and state of `before`. One statement writes the
 * event, the payment and the ended attempt. Returns no row and writes nothing when somebody else
 * moved the payment or somebody wants its event; waits for a concurrent insert of the same version.
 */
export function insertMove(
  sql: Sql,
  before: PaymentRow,
  after: PaymentRow,
  move: StoredMove,
  unlessWanted: WantedEvents | null = null,
): Statement<{ version: number }[]> {
  const { ended } = move;
  return sql<{ version: number }[]>`
    with event as (${nextEvent(sql, before, after, move, unlessWanted)}),
    moved as (${changedPayment(sql, before, after)})
    ${ended ? sql`, ended as (${endedAttempt(sql, before, ended, after.modifiedAt)})` : sql``}
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
function nextEvent(
  sql: Sql,
  before: PaymentRow,
  after: PaymentRow,
  { guid, cause, details }: StoredMove,
  unlessWanted: WantedEvents | null,
) {
  const { merchantGuid, paymentUuid, version } = after;
  const previous = version - 1;
  return sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    select before.merchant_guid, before.payment_uuid, ${version}::integer, before.version,
      ${before.state}::text, ${cause}::text, ${after.state}::text, ${after.attempt}::integer,
      ${details ? sql.json(details) : null}::json, ${after.modifiedAt}::timestamptz,
      ${guid}::uuid, before.digest
    from payment_event before
    where before.merchant_guid = ${merchantGuid} and before.payment_uuid = ${paymentUuid}
      and before.version = ${previous} and ${unlessWanted ? isUnwanted(sql, unlessWanted) : sql`true`}
    on conflict do nothing
    returning merchant_guid, payment_uuid, version, digest`;
}

function changedPayment(sql: Sql, before: PaymentRow, after: PaymentRow) {
  return sql`
    update payment
    set state = ${after.state}, version = payment.version + 1, attempt = ${after.attempt},
      authorization_code = ${after.authorizationCode}, response_code = ${after.responseCode},
      denial_reason = ${after.denialReason}, error = ${after.error},
      authorized_at = ${after.authorizedAt}, apply_deadline = ${after.applyDeadline},
      capture_deadline = ${after.captureDeadline}, capture_at = ${after.captureAt},
      changed_tip_minor = ${after.changedTipMinor}, captured_minor = ${after.capturedMinor},
      check_guid = ${after.checkGuid}, order_guid = ${after.orderGuid},
      void_reason = ${after.voidReason}, due_at = ${after.dueAt}, tries = ${after.tries},
      lease_holder = ${after.leaseHolder}, lease_expires_at = ${after.leaseExpiresAt},
      modified_at = ${after.modifiedAt}, event_digest = event.digest
    from event
    where payment.merchant_guid = ${before.merchantGuid}
      and payment.payment_uuid = ${before.paymentUuid}
      and payment.version = ${before.version} and payment.state = ${before.state}
    returning payment.version`;
}

/** Keeps a known reference. */
function endedAttempt(
  sql: Sql,
  { merchantGuid, paymentUuid, attempt }: PaymentRow,
  outcome: AttemptOutcome,
  finishedAt: Date,
) {
  return sql`
    update payment_attempt
    set outcome = ${outcome.outcome}, explanation = ${outcome.explanation},
      processor_reference = coalesce(${outcome.processorReference}, processor_reference),
      finished_at = ${finishedAt},
      due_at = ${outcome.dueAt}, follow_ups = coalesce(${outcome.followUps ?? null}, follow_ups),
      tries = 0, lease_holder = null, lease_expires_at = null
    from event
    where payment_attempt.merchant_guid = ${merchantGuid}
      and payment_attempt.payment_uuid = ${paymentUuid} and payment_attempt.attempt = ${attempt}`;
}
