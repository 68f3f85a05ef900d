import type { Sql } from '../../../packages/server/src/database/database.ts';
import type { PaymentState } from '../../../packages/server/src/payments/life/lifecycle.ts';
import type { PaymentKey } from '../../../packages/server/src/payments/life/store.ts';

/** A payment as our tables have it. Amounts are in minor units. */
export interface StoredPayment extends PaymentKey {
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly version: number;
  readonly attempt: number;
  readonly currencyCode: string;
  readonly totalMinor: number;
  /** With the tip as it is now. */
  readonly toCaptureMinor: number;
  readonly capturedMinor: number | null;
  readonly authorizationCode: string | null;
  readonly applyDeadline: Date | null;
  readonly captureDeadline: Date | null;
  readonly captureAt: Date | null;
  readonly checkGuid: string | null;
}

/** A change of state as our tables have it. */
export interface StoredEvent extends PaymentKey {
  readonly version: number;
  readonly fromState: PaymentState | 'NEW';
  readonly cause: string;
  readonly toState: PaymentState;
  readonly attempt: number;
  readonly occurredAt: Date;
}

/** Every payment. */
export async function listPayments(sql: Sql): Promise<StoredPayment[]> {
  return await sql<StoredPayment[]>`
    select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid",
      payment_id as "paymentId", state, version, attempt, currency_code as "currencyCode",
      (amount_minor + tip_minor)::float8 as "totalMinor",
      (amount_minor + coalesce(changed_tip_minor, tip_minor))::float8 as "toCaptureMinor",
      captured_minor::float8 as "capturedMinor", authorization_code as "authorizationCode",
      apply_deadline as "applyDeadline", capture_deadline as "captureDeadline",
      capture_at as "captureAt", check_guid as "checkGuid"
    from payment`;
}

/** Every event, those of a payment in the order of their versions. */
export async function listEvents(sql: Sql): Promise<StoredEvent[]> {
  return await sql<StoredEvent[]>`
    select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", version,
      from_state as "fromState", cause, to_state as "toState", attempt,
      occurred_at as "occurredAt"
    from payment_event order by merchant_guid, payment_uuid, version, occurred_at`;
}

/** An order as our tables have it, with what became of it. */
export interface StoredOrder {
  readonly merchantGuid: string;
  readonly guid: string;
  readonly externalId: string;
  readonly isVoided: boolean;
  readonly isFulfilled: boolean;
  readonly version: number;
  readonly events: number;
  /** How many of its selections were sent to the kitchen. */
  readonly sent: number;
  readonly guestStatus: string;
  readonly checks: readonly {
    readonly guid: string;
    readonly paymentStatus: string;
    readonly totalMinor: number;
  }[];
  readonly payments: readonly PaymentOfOrder[];
  /** The moves of its payments that its history tells of, and those that were made. */
  readonly toldMoves: readonly string[];
  readonly madeMoves: readonly string[];
}

interface PaymentOfOrder {
  readonly checkGuid: string;
  readonly type: string;
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly isVoided: boolean;
  /** Of the authorization behind it. */
  readonly state: string | null;
}

/** What a payment of an order does by itself: the order follows. */
const followed = [
  ...['captureTimeReached', 'captureRequested', 'captureAcknowledged', 'captureDeclined'],
  ...['captureMismatch', 'captureDeadlinePassed', 'voidAcknowledged', 'voidDeclined'],
  ...['foundCaptured', 'holdNotFound'],
];

/** Those that the guests of a run placed. */
export async function listOrders(sql: Sql): Promise<StoredOrder[]> {
  return await sql<StoredOrder[]>`
    select restaurant_guid as "merchantGuid", guid, external_id as "externalId",
      voided_at is not null as "isVoided", fulfilled_at is not null as "isFulfilled", version,
      (select count(*)::int from order_event
        where restaurant_guid = o.restaurant_guid and order_guid = o.guid) as events,
      (select count(*)::int
        from jsonb_path_query(content::jsonb, '$.checks[*].selections[*].fulfillmentStatus') s
        where s #>> '{}' not in ('NEW', 'HOLD')) as sent,
      guest_status as "guestStatus", content -> 'checks' as checks,
      coalesce((select json_agg(json_build_object('checkGuid', p.check_guid, 'type', p.type,
          'amountMinor', p.amount_minor, 'isVoided', p.voided_at is not null,
          'tipMinor', coalesce(card.changed_tip_minor, p.tip_minor), 'state', card.state))
        from order_payment p
        left join payment card on p.type = 'CREDIT' and card.merchant_guid = p.restaurant_guid
          and card.payment_uuid = p.payment_uuid
        where p.restaurant_guid = o.restaurant_guid and p.order_guid = o.guid), '[]') as payments,
      array(select (details ->> 'paymentUuid') || ' ' || (details ->> 'move') from order_event
        where restaurant_guid = o.restaurant_guid and order_guid = o.guid
          and cause = 'paymentMoved' and details ->> 'move' = any(${followed}::text[])
        order by 1) as "toldMoves",
      array(select e.payment_uuid || ' ' || e.cause from order_payment p
        join payment_event e
          on e.merchant_guid = p.restaurant_guid and e.payment_uuid = p.payment_uuid
        where p.restaurant_guid = o.restaurant_guid and p.order_guid = o.guid
          and e.cause = any(${followed}::text[])
        order by 1) as "madeMoves"
    from restaurant_order o where starts_with(external_id, 'place')`;
}

/** A payment on a check of an order here. */
export interface StoredOrderPayment extends PaymentKey {
  readonly orderGuid: string;
  readonly checkGuid: string;
  readonly amountMinor: number;
  readonly authorizedMinor: number | null;
  /** The check of the payment. */
  readonly paidCheckGuid: string | null;
  readonly state: PaymentState | null;
  readonly isOrderVoided: boolean;
}

export async function listOrderPayments(sql: Sql): Promise<StoredOrderPayment[]> {
  return await sql<StoredOrderPayment[]>`
    select o.restaurant_guid as "merchantGuid", o.payment_uuid as "paymentUuid",
      o.order_guid as "orderGuid", o.check_guid as "checkGuid",
      o.amount_minor::float8 as "amountMinor", p.amount_minor::float8 as "authorizedMinor",
      p.check_guid as "paidCheckGuid", p.state, placed.voided_at is not null as "isOrderVoided"
    from order_payment o
    join restaurant_order placed
      on placed.restaurant_guid = o.restaurant_guid and placed.guid = o.order_guid
    left join payment p on p.merchant_guid = o.restaurant_guid and p.payment_uuid = o.payment_uuid
    where o.type = 'CREDIT'`;
}

/** How many are left of items. */
export async function listQuantities(
  sql: Sql,
  itemGuids: readonly string[],
): Promise<{ merchantGuid: string; itemGuid: string; quantity: number | null }[]> {
  return await sql<{ merchantGuid: string; itemGuid: string; quantity: number | null }[]>`
    select restaurant_guid as "merchantGuid", item_guid as "itemGuid",
      quantity::float8 as quantity
    from stock where item_guid = any(${itemGuids}::uuid[])`;
}

/** How much is still to be done by itself, on payments and on attempts that may turn up late. */
export async function findOpenWork(
  sql: Sql,
): Promise<{ readonly payments: number; readonly attempts: number }> {
  const [row] = await sql<[{ payments: number; attempts: number }]>`
    select (select count(*)::int from payment where due_at is not null) as payments,
      (select count(*)::int from payment_attempt where due_at is not null) as attempts`;
  return row;
}

/**
 * Ends every lease, as if its half minute were over: what servers had begun that were killed is
 * taken over at once. Leases only save work, versions keep it safe, so that this loses nothing.
 */
export async function updateLeasesToEnded(sql: Sql): Promise<void> {
  await sql`update payment set lease_expires_at = null where lease_expires_at is not null`;
  await sql`update payment_attempt set lease_expires_at = null where lease_expires_at is not null`;
}
