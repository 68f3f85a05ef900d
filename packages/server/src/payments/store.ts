import type { Sql } from '../db/database.ts';
import type { Address } from './authorization-request.ts';
import type { Cause, PaymentState } from './lifecycle.ts';

/** Who a payment is. */
export interface PaymentKey {
  readonly merchantGuid: string;
  readonly paymentUuid: string;
}

/** A payment as it is now. Amounts are in minor units of its currency. */
export interface PaymentRow extends PaymentKey {
  readonly paymentId: string;
  readonly clientId: string;
  readonly state: PaymentState;
  readonly version: number;
  readonly attempt: number;
  readonly contentDigest: Buffer;
  readonly currencyCode: string;
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly cardBrand: string;
  readonly cardLast4: string;
  readonly localTransactionDate: string;
  readonly authorizationCode: string | null;
  readonly responseCode: string | null;
  readonly denialReason: string | null;
  readonly error: string | null;
  readonly authorizedAt: Date | null;
  readonly applyDeadline: Date | null;
  readonly captureDeadline: Date | null;
  /** When somebody has to look at the payment next; null when nothing happens by itself. */
  readonly dueAt: Date | null;
}

/** A payment that is inserted: what its row has beside what later changes bring. */
export interface NewPayment extends PaymentRow {
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard: boolean;
  readonly cardFirst6: string;
  readonly cardDigest: Buffer;
  readonly createdAt: Date;
}

/** One change of a payment's state, for its history. */
export interface NewEvent {
  readonly version: number;
  readonly from: PaymentState | 'NEW';
  readonly cause: Cause;
  readonly to: PaymentState;
  readonly attempt: number;
  readonly details: object | null;
  readonly occurredAt: Date;
}

/** What is known of the guest, kept apart from the payment. */
export interface GuestRow {
  readonly guestIdentifier: string;
  readonly guestEmail: string | null;
  readonly originIpAddress: string;
  readonly userAgent: string | null;
  readonly appName: string | null;
  readonly appVersion: string | null;
  readonly instanceId: string;
  readonly additionalInfo: string | null;
  readonly billingAddress: Address;
  readonly deliveryAddress: Address | null;
}

/** The columns of a payment that a change of state may write. */
export type PaymentChange = Pick<
  PaymentRow,
  | 'state'
  | 'attempt'
  | 'authorizationCode'
  | 'responseCode'
  | 'denialReason'
  | 'error'
  | 'authorizedAt'
  | 'applyDeadline'
  | 'captureDeadline'
  | 'dueAt'
>;

/** How an attempt ended. */
export interface AttemptOutcome {
  readonly outcome: 'APPROVED' | 'DECLINED' | 'NOT_PROCESSED' | 'UNKNOWN';
  readonly explanation: string | null;
  readonly processorReference: string | null;
  readonly finishedAt: Date;
}

/** The payment, or null. */
export async function findPayment(sql: Sql, key: PaymentKey): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid",
      payment_id as "paymentId", client_id as "clientId", state, version, attempt,
      content_digest as "contentDigest", currency_code as "currencyCode",
      amount_minor as "amountMinor", tip_minor as "tipMinor", card_brand as "cardBrand",
      card_last4 as "cardLast4", local_transaction_date as "localTransactionDate",
      authorization_code as "authorizationCode", response_code as "responseCode",
      denial_reason as "denialReason", error, authorized_at as "authorizedAt",
      apply_deadline as "applyDeadline", capture_deadline as "captureDeadline", due_at as "dueAt"
    from payment
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}`;
  return row ?? null;
}

/**
 * Inserts the next event of a payment; false when its version exists, because somebody else moved
 * the payment. A concurrent insert of the same version is waited for. It comes before the change of
 * the payment itself, whose foreign key points here. No conflict target is named: two unique
 * indexes begin with the version's key, and a racing insert may meet either of them first.
 */
export async function insertEvent(sql: Sql, key: PaymentKey, event: NewEvent): Promise<boolean> {
  const previous = event.version === 1 ? null : event.version - 1;
  const result = await sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at)
    values (${key.merchantGuid}, ${key.paymentUuid}, ${event.version}, ${previous}, ${event.from},
      ${event.cause}, ${event.to}, ${event.attempt},
      ${event.details && sql.json(event.details)}, ${event.occurredAt})
    on conflict do nothing`;
  return result.count === 1;
}

/** Inserts a payment, after its first event. */
export async function insertPayment(sql: Sql, row: NewPayment): Promise<void> {
  await sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, due_at, created_at, modified_at)
    values (${row.merchantGuid}, ${row.paymentUuid}, ${row.paymentId}, ${row.clientId},
      ${row.state}, ${row.version}, ${row.attempt}, ${row.contentDigest}, ${row.currencyCode},
      ${row.amountMinor}, ${row.tipMinor}, ${row.cardNumberOrigin}, ${row.willSaveCard},
      ${row.cardBrand}, ${row.cardFirst6}, ${row.cardLast4}, ${row.cardDigest},
      ${row.localTransactionDate}, ${row.denialReason}, ${row.dueAt}, ${row.createdAt},
      ${row.createdAt})`;
}

/** Inserts what is known of the guest of a payment. */
export async function insertGuest(sql: Sql, key: PaymentKey, row: GuestRow): Promise<void> {
  await sql`
    insert into payment_guest (merchant_guid, payment_uuid, guest_identifier, guest_email,
      origin_ip_address, user_agent, app_name, app_version, instance_id, additional_info,
      billing_address, delivery_address)
    values (${key.merchantGuid}, ${key.paymentUuid}, ${row.guestIdentifier}, ${row.guestEmail},
      ${row.originIpAddress}, ${row.userAgent}, ${row.appName}, ${row.appVersion},
      ${row.instanceId}, ${row.additionalInfo}, ${sql.json(row.billingAddress)},
      ${row.deliveryAddress && sql.json(row.deliveryAddress)})`;
}

/** Inserts an attempt, before the processor hears of it. */
export async function insertAttempt(
  sql: Sql,
  key: PaymentKey,
  attempt: number,
  processorKey: string,
  startedAt: Date,
): Promise<void> {
  await sql`
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at)
    values (${key.merchantGuid}, ${key.paymentUuid}, ${attempt}, ${processorKey}, ${startedAt})`;
}

/** Writes how an attempt ended. */
export async function updateAttempt(
  sql: Sql,
  key: PaymentKey,
  attempt: number,
  outcome: AttemptOutcome,
): Promise<void> {
  await sql`
    update payment_attempt
    set outcome = ${outcome.outcome}, explanation = ${outcome.explanation},
      processor_reference = ${outcome.processorReference}, finished_at = ${outcome.finishedAt}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and attempt = ${attempt}`;
}

/**
 * Changes a payment that still is in the version and state that `expected` has (compare-and-set);
 * false when it is not. The event of the next version must have been inserted before.
 */
export async function updatePayment(
  sql: Sql,
  expected: PaymentKey & Pick<PaymentRow, 'version' | 'state'>,
  change: PaymentChange,
  modifiedAt: Date,
): Promise<boolean> {
  const result = await sql`
    update payment
    set state = ${change.state}, version = version + 1, attempt = ${change.attempt},
      authorization_code = ${change.authorizationCode}, response_code = ${change.responseCode},
      denial_reason = ${change.denialReason}, error = ${change.error},
      authorized_at = ${change.authorizedAt}, apply_deadline = ${change.applyDeadline},
      capture_deadline = ${change.captureDeadline}, due_at = ${change.dueAt},
      modified_at = ${modifiedAt}
    where merchant_guid = ${expected.merchantGuid} and payment_uuid = ${expected.paymentUuid}
      and version = ${expected.version} and state = ${expected.state}`;
  return result.count === 1;
}
