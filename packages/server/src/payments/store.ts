import type { Sql } from '../db/database.ts';
import type { Address } from './authorization-request.ts';
import type { BusinessDay } from './close-out.ts';
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
  /** In minor units; null until captured. */
  readonly capturedMinor: number | null;
  readonly cardBrand: string;
  readonly cardFirst6: string;
  readonly cardLast4: string;
  readonly localTransactionDate: string;
  readonly authorizationCode: string | null;
  readonly responseCode: string | null;
  readonly denialReason: string | null;
  readonly error: string | null;
  readonly authorizedAt: Date | null;
  readonly applyDeadline: Date | null;
  readonly captureDeadline: Date | null;
  /** When the money is taken; set once the order is fulfilled. */
  readonly captureAt: Date | null;
  /** The check that the orders side applied the payment to. */
  readonly checkGuid: string | null;
  /** Why the orders side voided it. */
  readonly voidReason: string | null;
  /** When somebody has to look at the payment next; null when nothing happens by itself. */
  readonly dueAt: Date | null;
  /** Calls in a row that did not bring the payment out of its state. */
  readonly tries: number;
  /** Who works on it, for efficiency only: what is safe is the version. */
  readonly leaseHolder: string | null;
  /** In real time, which a sandbox's clock does not move. */
  readonly leaseExpiresAt: Date | null;
  readonly createdAt: Date;
  /** When it came into its present state. */
  readonly modifiedAt: Date;
}

/** A payment that is inserted: what its row has beside what later changes bring. */
export interface NewPayment extends PaymentRow {
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard: boolean;
  readonly cardDigest: Buffer;
}

/** One change of a payment's state, for its history. */
export interface NewEvent {
  /** Of whoever records it, to be recognised after a lost COMMIT. */
  readonly guid: string;
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
  | 'captureAt'
  | 'capturedMinor'
  | 'checkGuid'
  | 'voidReason'
  | 'dueAt'
  | 'tries'
  | 'leaseHolder'
  | 'leaseExpiresAt'
>;

/** The columns of `payment` that make a PaymentRow, for every statement that reads one. */
export const paymentColumns = (sql: Sql) => sql`
  merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", payment_id as "paymentId",
  client_id as "clientId", state, version, attempt, content_digest as "contentDigest",
  currency_code as "currencyCode", amount_minor as "amountMinor", tip_minor as "tipMinor",
  captured_minor as "capturedMinor", card_brand as "cardBrand", card_first6 as "cardFirst6",
  card_last4 as "cardLast4", local_transaction_date as "localTransactionDate",
  authorization_code as "authorizationCode", response_code as "responseCode",
  denial_reason as "denialReason", error, authorized_at as "authorizedAt",
  apply_deadline as "applyDeadline", capture_deadline as "captureDeadline",
  capture_at as "captureAt", check_guid as "checkGuid", void_reason as "voidReason",
  due_at as "dueAt", tries, lease_holder as "leaseHolder", lease_expires_at as "leaseExpiresAt",
  created_at as "createdAt", modified_at as "modifiedAt"`;

/** The payment, or null. */
export async function findPayment(sql: Sql, key: PaymentKey): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select ${paymentColumns(sql)}
    from payment
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}`;
  return row ?? null;
}

/** The digest of an event, by which others refer to it (I5); null when there is none. */
const eventDigest = (sql: Sql, key: PaymentKey, version: number | null) => sql`
  (select digest from payment_event where merchant_guid = ${key.merchantGuid}
    and payment_uuid = ${key.paymentUuid} and version = ${version})`;

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
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    values (${key.merchantGuid}, ${key.paymentUuid}, ${event.version}, ${previous}, ${event.from},
      ${event.cause}, ${event.to}, ${event.attempt},
      ${event.details && sql.json(event.details)}, ${event.occurredAt}, ${event.guid},
      ${eventDigest(sql, key, previous)})
    on conflict do nothing`;
  return result.count === 1;
}

/** Who recorded the event of that version; null when there is none. */
export async function findEventGuid(
  sql: Sql,
  key: PaymentKey,
  version: number,
): Promise<string | null> {
  const [row] = await sql<{ guid: string | null }[]>`
    select guid from payment_event
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and version = ${version}`;
  return row?.guid ?? null;
}

/** Inserts a payment, after its first event. */
export async function insertPayment(sql: Sql, row: NewPayment): Promise<void> {
  await sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, due_at, lease_holder, lease_expires_at, created_at, modified_at,
      event_digest)
    values (${row.merchantGuid}, ${row.paymentUuid}, ${row.paymentId}, ${row.clientId},
      ${row.state}, ${row.version}, ${row.attempt}, ${row.contentDigest}, ${row.currencyCode},
      ${row.amountMinor}, ${row.tipMinor}, ${row.cardNumberOrigin}, ${row.willSaveCard},
      ${row.cardBrand}, ${row.cardFirst6}, ${row.cardLast4}, ${row.cardDigest},
      ${row.localTransactionDate}, ${row.denialReason}, ${row.dueAt}, ${row.leaseHolder},
      ${row.leaseExpiresAt}, ${row.createdAt}, ${row.modifiedAt},
      ${eventDigest(sql, row, row.version)})`;
}

/** Inserts what is known of the guest of a payment that is inserted with it. */
export async function insertGuest(
  sql: Sql,
  payment: PaymentKey & Pick<NewPayment, 'createdAt'>,
  row: GuestRow,
): Promise<void> {
  await sql`
    insert into payment_guest (merchant_guid, payment_uuid, guest_identifier, guest_email,
      origin_ip_address, user_agent, app_name, app_version, instance_id, additional_info,
      billing_address, delivery_address, created_at)
    values (${payment.merchantGuid}, ${payment.paymentUuid},
      ${row.guestIdentifier}, ${row.guestEmail}, ${row.originIpAddress}, ${row.userAgent},
      ${row.appName}, ${row.appVersion}, ${row.instanceId}, ${row.additionalInfo},
      ${sql.json(row.billingAddress)}, ${row.deliveryAddress && sql.json(row.deliveryAddress)},
      ${payment.createdAt})`;
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
      capture_deadline = ${change.captureDeadline}, capture_at = ${change.captureAt},
      captured_minor = ${change.capturedMinor}, check_guid = ${change.checkGuid},
      void_reason = ${change.voidReason}, due_at = ${change.dueAt}, tries = ${change.tries},
      lease_holder = ${change.leaseHolder}, lease_expires_at = ${change.leaseExpiresAt},
      modified_at = ${modifiedAt},
      event_digest = ${eventDigest(sql, expected, expected.version + 1)}
    where merchant_guid = ${expected.merchantGuid} and payment_uuid = ${expected.paymentUuid}
      and version = ${expected.version} and state = ${expected.state}`;
  return result.count === 1;
}

/** What decides when the business day of a restaurant ends. */
export async function findCloseOut(sql: Sql, restaurantGuid: string): Promise<BusinessDay> {
  const [row] = await sql<BusinessDay[]>`
    select time_zone as "timeZone", closeout_hour as "closeoutHour"
    from restaurant where guid = ${restaurantGuid}`;
  if (!row) throw new Error(`restaurant ${restaurantGuid} has payments but no row`);
  return row;
}
