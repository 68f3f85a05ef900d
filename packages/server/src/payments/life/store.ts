import type { Sql } from '../../database/database.ts';
import type { Address } from '../authorize/authorization-request.ts';
import type { BusinessDay } from '../due/close-out.ts';
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

/** What decides when the business day of a restaurant ends. */
export async function findCloseOut(sql: Sql, restaurantGuid: string): Promise<BusinessDay> {
  const [row] = await sql<BusinessDay[]>`
    select time_zone as "timeZone", closeout_hour as "closeoutHour"
    from restaurant where guid = ${restaurantGuid}`;
  if (!row) throw new Error(`restaurant ${restaurantGuid} has payments but no row`);
  return row;
}
