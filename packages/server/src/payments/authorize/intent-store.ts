import { hash } from 'node:crypto';
import { authorizationKey } from '@servery/card-simulator/messages.ts';
import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import type { Cause } from '../life/lifecycle.ts';
import type { Intent, NewPayment } from './intent.ts';

/**
 * Inserts the event, payment, guest and attempt in one statement, so all of it is stored or
 * nothing. Returns no row when the payment exists, and waits for a concurrent insert. On a cluster,
 * it can fail with `LOST_RACE` then: the next try finds the payment.
 */
export function insertIntent(
  sql: Sql,
  intent: Intent,
  isOfCluster: boolean,
): Statement<{ guid: string }[]> {
  const ifNew = isOfCluster ? ifNewInCluster(sql, intent.payment) : sql`from event`;
  const begun = sql`begun as (${attemptOf(sql, intent)} ${ifNew} returning processor_key)`;
  const hasAttempt = intent.payment.attempt > 0;
  return sql<{ guid: string }[]>`
    with event as (${eventOf(sql, intent)}),
    recorded as (${paymentOf(sql, intent)} ${ifNew}),
    guest as (${guestOf(sql, intent)} ${ifNew})
    ${hasAttempt ? sql`, ${begun}` : sql``}
    ${hasAttempt && isOfCluster ? eventOfAttempt(sql) : sql`select guid from event`}`;
}

/** The SQLSTATE of a text that is no GUID. */
export const LOST_RACE = '22P02';

/**
 * If a concurrent insert committed a refused payment, the attempt conflicts with nothing. The cast
 * of this sentence to a GUID then fails and undoes everything. It names a column so that PostgreSQL
 * doesn't evaluate it early. A `union` would take a cluster one more statement.
 */
const eventOfAttempt = (sql: Sql) => sql`
  select case when event.guid is not null then event.guid
    else ('another request recorded the payment of this attempt: ' || begun.processor_key)::uuid
    end as guid
  from event full join begun on true`;

/**
 * If an insert reads the rows of a step, a cluster sends them to all nodes, and then needs all
 * nodes for each payment. So this looks for the payment itself, because a known payment may have no
 * guest anymore, and a refused one has no attempt. On one PostgreSQL, reading the step is faster.
 */
function ifNewInCluster(sql: Sql, { merchantGuid, paymentUuid, paymentId }: NewPayment) {
  return sql`
    where not exists (
      select from payment
      where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}
        and payment_id <> ${paymentId})
    on conflict do nothing`;
}

const causeOf = ({ refusal }: Intent): Cause => (refusal ? 'riskRefused' : 'submitted');

const detailsOf = ({ refusal }: Intent) => refusal && { rule: refusal.rule };

/** The same as the events table computes. A foreign key refuses a payment with any other digest. */
function digestOf(intent: Intent): Buffer {
  const { payment, eventGuid } = intent;
  const details = detailsOf(intent);
  const facts = [
    ...['NEW', causeOf(intent), payment.state, payment.attempt, payment.createdAt.getTime()],
    ...[eventGuid, '-', details ? JSON.stringify(details) : '-'],
  ];
  return hash('sha256', facts.join('|'), 'buffer');
}

/** Without a conflict target, because either of two unique indexes can conflict. */
function eventOf(sql: Sql, intent: Intent) {
  const { payment, eventGuid } = intent;
  const details = detailsOf(intent);
  return sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    values (${payment.merchantGuid}, ${payment.paymentUuid}, 1, null, 'NEW', ${causeOf(intent)},
      ${payment.state}, ${payment.attempt}, ${details && sql.json(details)},
      ${payment.createdAt}, ${eventGuid}, null)
    on conflict do nothing
    returning guid`;
}

function paymentOf(sql: Sql, intent: Intent) {
  const { payment: row } = intent;
  return sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, due_at, lease_holder, lease_expires_at, created_at, modified_at,
      event_digest)
    select ${row.merchantGuid}::uuid, ${row.paymentUuid}::uuid, ${row.paymentId}::uuid,
      ${row.clientId}, ${row.state}, ${row.version}::integer, ${row.attempt}::integer,
      ${row.contentDigest}::bytea, ${row.currencyCode}, ${row.amountMinor}::bigint,
      ${row.tipMinor}::bigint, ${row.cardNumberOrigin}, ${row.willSaveCard}::boolean,
      ${row.cardBrand}, ${row.cardFirst6}, ${row.cardLast4}, ${row.cardDigest}::bytea,
      ${row.localTransactionDate}, ${row.denialReason}::text, ${row.dueAt}::timestamptz,
      ${row.leaseHolder}::uuid, ${row.leaseExpiresAt}::timestamptz,
      ${row.createdAt}::timestamptz, ${row.modifiedAt}::timestamptz, ${digestOf(intent)}::bytea`;
}

function guestOf(sql: Sql, { payment, guest: row }: Intent) {
  return sql`
    insert into payment_guest (merchant_guid, payment_uuid, guest_identifier, guest_email,
      origin_ip_address, user_agent, app_name, app_version, instance_id, additional_info,
      billing_address, delivery_address, created_at)
    select ${payment.merchantGuid}::uuid, ${payment.paymentUuid}::uuid, ${row.guestIdentifier},
      ${row.guestEmail}, ${row.originIpAddress}, ${row.userAgent}, ${row.appName},
      ${row.appVersion}, ${row.instanceId}, ${row.additionalInfo},
      ${sql.json(row.billingAddress)}::json,
      ${row.deliveryAddress && sql.json(row.deliveryAddress)}::json,
      ${payment.createdAt}::timestamptz`;
}

function attemptOf(sql: Sql, { payment }: Intent) {
  return sql`
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at)
    select ${payment.merchantGuid}::uuid, ${payment.paymentUuid}::uuid,
      ${payment.attempt}::integer, ${authorizationKey(payment.paymentId, 1)},
      ${payment.createdAt}::timestamptz`;
}
