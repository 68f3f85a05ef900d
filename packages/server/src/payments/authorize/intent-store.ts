import { authorizationKey } from '@servery/card-simulator/messages.ts';
import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import { riskDenialText } from '../life/denials.ts';
import type { Cause } from '../life/lifecycle.ts';
import type { Intent } from './intent.ts';
import { type VelocityCount, velocitySteps } from './velocity-store.ts';

export interface CountedIntent {
  readonly counts: readonly VelocityCount[];
  /** What to record when the count at the same index has no room. */
  readonly refused: readonly Intent[];
}

/**
 * Inserts the event, payment, guest and attempt in one statement, so all of it is stored or
 * nothing. Returns no row when the payment exists, and waits for a concurrent insert. With counts,
 * the payment is counted first, and the counts decide what is inserted. An existing payment isn't
 * counted. One that appears meanwhile fails the statement with 23505, because `on conflict do
 * nothing` would keep the counts of a repeat.
 */
export function insertIntent(
  sql: Sql,
  intent: Intent,
  counted: CountedIntent | null,
): Statement<{ guid: string }[]> {
  return sql<{ guid: string }[]>`
    with ${counted ? countedEvent(sql, intent, counted) : plainEvent(sql, intent)},
    recorded as (${paymentOf(sql, intent)}),
    guest as (${guestOf(sql, intent)}),
    begun as (${attemptOf(sql, intent)})
    select guid from event`;
}

const eventColumns = (sql: Sql) => sql`(merchant_guid, payment_uuid, version, previous_version,
  from_state, cause, to_state, attempt, details, occurred_at, guid, previous_digest)`;

const eventAnswer = (sql: Sql) => sql`merchant_guid, payment_uuid, to_state, attempt, guid, digest`;

const causeOf = ({ refusal }: Intent): Cause => (refusal ? 'riskRefused' : 'submitted');

const detailsOf = ({ refusal }: Intent) => refusal && { rule: refusal.rule };

/** Without a conflict target, because either of two unique indexes can conflict. */
function plainEvent(sql: Sql, intent: Intent) {
  const { payment, eventGuid } = intent;
  const details = detailsOf(intent);
  return sql`event as (
    insert into payment_event ${eventColumns(sql)}
    values (${payment.merchantGuid}, ${payment.paymentUuid}, 1, null, 'NEW', ${causeOf(intent)},
      ${payment.state}, ${payment.attempt}, ${details && sql.json(details)},
      ${payment.createdAt}, ${eventGuid}, null)
    on conflict do nothing
    returning ${eventAnswer(sql)})`;
}

/** The event of the first count without room, or of the intent when all have room. */
function countedEvent(sql: Sql, intent: Intent, { counts, refused }: CountedIntent) {
  const { merchantGuid, paymentUuid, state, attempt, createdAt } = intent.payment;
  const [refusal = intent] = refused;
  const guids = [...refused, intent].map(({ eventGuid }) => eventGuid);
  const details = refused.map((other) => JSON.stringify(detailsOf(other)));
  const isFree = sql`not exists (select from known)`;
  const { steps, passed } = velocitySteps(sql, counts, isFree);
  const hasRoom = sql`passed = ${counts.length}::integer`;
  return sql`known as (
      select 1 from payment
      where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}),
    ${steps},
    verdict as (${passed}),
    event as (
      insert into payment_event ${eventColumns(sql)}
      select ${merchantGuid}, ${paymentUuid}, 1, null, 'NEW',
        case when ${hasRoom} then ${causeOf(intent)} else ${causeOf(refusal)} end,
        case when ${hasRoom} then ${state} else ${refusal.payment.state} end,
        case when ${hasRoom} then ${attempt}::integer else ${refusal.payment.attempt}::integer end,
        (${details}::text[])[passed + 1]::json, ${createdAt}::timestamptz,
        (${guids}::text[])[passed + 1]::uuid, null::bytea
      from verdict where ${isFree}
      returning ${eventAnswer(sql)})`;
}

/** A refused payment isn't due again: nothing happens to it. */
function paymentOf(sql: Sql, { payment: row }: Intent) {
  const isAsked = sql`event.attempt > 0`;
  return sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, due_at, lease_holder, lease_expires_at, created_at, modified_at,
      event_digest)
    select event.merchant_guid, event.payment_uuid, ${row.paymentId}::uuid, ${row.clientId},
      event.to_state, ${row.version}::integer, event.attempt, ${row.contentDigest}::bytea,
      ${row.currencyCode}, ${row.amountMinor}::bigint, ${row.tipMinor}::bigint,
      ${row.cardNumberOrigin}, ${row.willSaveCard}::boolean, ${row.cardBrand}, ${row.cardFirst6},
      ${row.cardLast4}, ${row.cardDigest}::bytea, ${row.localTransactionDate},
      case when not ${isAsked} then ${riskDenialText}::text end,
      case when ${isAsked} then ${row.dueAt}::timestamptz end,
      case when ${isAsked} then ${row.leaseHolder}::uuid end,
      case when ${isAsked} then ${row.leaseExpiresAt}::timestamptz end,
      ${row.createdAt}::timestamptz, ${row.modifiedAt}::timestamptz, event.digest
    from event`;
}

function guestOf(sql: Sql, { payment, guest: row }: Intent) {
  return sql`
    insert into payment_guest (merchant_guid, payment_uuid, guest_identifier, guest_email,
      origin_ip_address, user_agent, app_name, app_version, instance_id, additional_info,
      billing_address, delivery_address, created_at)
    select event.merchant_guid, event.payment_uuid, ${row.guestIdentifier}, ${row.guestEmail},
      ${row.originIpAddress}, ${row.userAgent}, ${row.appName}, ${row.appVersion},
      ${row.instanceId}, ${row.additionalInfo}, ${sql.json(row.billingAddress)}::json,
      ${row.deliveryAddress && sql.json(row.deliveryAddress)}::json,
      ${payment.createdAt}::timestamptz
    from event`;
}

function attemptOf(sql: Sql, { payment }: Intent) {
  return sql`
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at)
    select event.merchant_guid, event.payment_uuid, event.attempt,
      ${authorizationKey(payment.paymentId, 1)}, ${payment.createdAt}::timestamptz
    from event where event.attempt > 0`;
}
