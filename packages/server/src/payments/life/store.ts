import type { Sql } from '../../database/database.ts';
import type { BusinessDay } from '../due/close-out.ts';
import type { PaymentState } from './lifecycle.ts';

export interface PaymentKey {
  readonly merchantGuid: string;
  readonly paymentUuid: string;
}

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
  /** Null while the authorized tip stands. */
  readonly changedTipMinor: number | null;
  readonly capturedMinor: number | null;
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
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
  readonly captureAt: Date | null;
  readonly checkGuid: string | null;
  /** Null for no check, or one of an outside orders system. */
  readonly orderGuid: string | null;
  readonly voidReason: string | null;
  readonly dueAt: Date | null;
  /** Calls in a row that didn't change the state. */
  readonly tries: number;
  /** Only for efficiency: the version guarantees safety. */
  readonly leaseHolder: string | null;
  /** Real time, which a sandbox's clock doesn't move. */
  readonly leaseExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export const paymentColumns = (sql: Sql) => sql`
  merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", payment_id as "paymentId",
  client_id as "clientId", state, version, attempt, content_digest as "contentDigest",
  currency_code as "currencyCode", amount_minor as "amountMinor", tip_minor as "tipMinor",
  changed_tip_minor as "changedTipMinor", captured_minor as "capturedMinor",
  card_number_origin as "cardNumberOrigin", card_brand as "cardBrand", card_first6 as "cardFirst6",
  card_last4 as "cardLast4", local_transaction_date as "localTransactionDate",
  authorization_code as "authorizationCode", response_code as "responseCode",
  denial_reason as "denialReason", error, authorized_at as "authorizedAt",
  apply_deadline as "applyDeadline", capture_deadline as "captureDeadline",
  capture_at as "captureAt", check_guid as "checkGuid", order_guid as "orderGuid", void_reason as "voidReason",
  due_at as "dueAt", tries, lease_holder as "leaseHolder", lease_expires_at as "leaseExpiresAt",
  created_at as "createdAt", modified_at as "modifiedAt"`;

export async function findPayment(sql: Sql, key: PaymentKey): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select ${paymentColumns(sql)}
    from payment
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}`;
  return row ?? null;
}

/**
 * A list of keys as rows, and the condition that names their merchants: it spares the other shards.
 * The list is always sorted: statements lock payments in its order, and two that locked the same
 * payments in different orders could deadlock.
 */
export function listed(sql: Sql, keys: readonly PaymentKey[]) {
  const place = ({ merchantGuid, paymentUuid }: PaymentKey) => `${merchantGuid} ${paymentUuid}`;
  const ordered = keys.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  const merchants = sql`${ordered.map(({ merchantGuid }) => merchantGuid)}::uuid[]`;
  const uuids = ordered.map(({ paymentUuid }) => paymentUuid);
  return {
    rows: sql`unnest(${merchants}, ${uuids}::uuid[]) as listed (merchant, uuid)`,
    isAtMerchants: sql`merchant_guid = any(${merchants})`,
  };
}

/** Only if an account of the same partner, or of the same management group, requested it. */
export async function findOwnPayment(
  sql: Sql,
  key: PaymentKey,
  clientId: string,
): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select ${paymentColumns(sql)}
    from payment
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and client_id in (
        select asked.client_id
        from api_client asking join api_client asked
          on asked.partner_guid = asking.partner_guid
            or asked.management_group_guid = asking.management_group_guid
        where asking.client_id = ${clientId})`;
  return row ?? null;
}

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

export async function findCloseOut(sql: Sql, restaurantGuid: string): Promise<BusinessDay> {
  const [row] = await sql<BusinessDay[]>`
    select time_zone as "timeZone", closeout_hour as "closeoutHour"
    from restaurant where guid = ${restaurantGuid}`;
  if (!row) throw new Error(`restaurant ${restaurantGuid} has payments but no row`);
  return row;
}

export interface TransitionRow {
  readonly from: string;
  readonly cause: string;
  readonly to: string;
}

export async function listTransitions(sql: Sql): Promise<TransitionRow[]> {
  return await sql<TransitionRow[]>`
    select from_state as "from", cause, to_state as "to" from payment_transition`;
}
