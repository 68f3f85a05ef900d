import { authorizationKey } from '@servery/card-simulator/messages.ts';
import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import type { Cause } from '../life/lifecycle.ts';
import type { Intent } from './intent.ts';

/**
 * Inserts the event, payment, guest and attempt in one statement, so all of it is stored or
 * nothing. Returns no row when the payment exists, and waits for a concurrent insert.
 */
export function insertIntent(sql: Sql, intent: Intent): Statement<{ guid: string }[]> {
  return sql<{ guid: string }[]>`
    with event as (${eventOf(sql, intent)}),
    recorded as (${paymentOf(sql, intent)}),
    guest as (${guestOf(sql, intent)}),
    begun as (${attemptOf(sql, intent)})
    select guid from event`;
}

/** Without a conflict target, because either of two unique indexes can conflict. */
function eventOf(sql: Sql, { payment, eventGuid, refusal }: Intent) {
  const cause: Cause = refusal ? 'riskRefused' : 'submitted';
  return sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    values (${payment.merchantGuid}, ${payment.paymentUuid}, 1, null, 'NEW', ${cause},
      ${payment.state}, ${payment.attempt}, ${refusal && sql.json({ rule: refusal.rule })},
      ${payment.createdAt}, ${eventGuid}, null)
    on conflict do nothing
    returning merchant_guid, payment_uuid, to_state, attempt, guid, digest`;
}

function paymentOf(sql: Sql, { payment: row }: Intent) {
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
      ${row.denialReason}::text, ${row.dueAt}::timestamptz, ${row.leaseHolder}::uuid,
      ${row.leaseExpiresAt}::timestamptz, ${row.createdAt}::timestamptz,
      ${row.modifiedAt}::timestamptz, event.digest
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
