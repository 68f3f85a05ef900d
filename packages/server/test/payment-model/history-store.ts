import type { Sql } from '../../src/database/database.ts';
import type { BusinessDay } from './model.ts';

/** One event as the database holds it; instants in epoch milliseconds. */
export interface SeenEvent {
  readonly version: number;
  readonly from: string;
  readonly cause: string;
  readonly to: string;
  readonly attempt: number;
  readonly atMs: number;
  /** Of a change of the tip; null for other events. */
  readonly newTipMinor: number | null;
  /** Who asked for it; null for what the platform does by itself. */
  readonly by: string | null;
}

/** A payment as the database holds it, with its history. */
export interface SeenPayment {
  readonly paymentUuid: string;
  readonly paymentId: string;
  readonly clientId: string;
  readonly state: string;
  readonly version: number;
  readonly attempt: number;
  readonly currencyCode: string;
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly changedTipMinor: number | null;
  readonly capturedMinor: number | null;
  readonly authorizationCode: string | null;
  readonly authorizedAtMs: number | null;
  readonly applyDeadlineMs: number | null;
  readonly captureDeadlineMs: number | null;
  readonly captureAtMs: number | null;
  readonly dueAtMs: number | null;
  readonly checkGuid: string | null;
  readonly voidReason: string | null;
  readonly events: readonly SeenEvent[];
  readonly alarms: readonly SeenAlarm[];
  /** Its place on an order here. */
  readonly onOrder: SeenOrderPayment | null;
}

/** A CREDIT payment as its order has it. */
interface SeenOrderPayment {
  readonly orderGuid: string;
  readonly checkGuid: string;
  readonly amountMinor: number;
  readonly isOrderVoided: boolean;
}

/** An order as the database holds it, with one check. */
export interface SeenOrder {
  readonly guid: string;
  readonly externalId: string;
  readonly version: number;
  readonly approval: string;
  readonly guestStatus: string;
  readonly createdAtMs: number;
  readonly openedAtMs: number;
  readonly modifiedAtMs: number;
  readonly fulfilledAtMs: number | null;
  readonly isVoided: boolean;
  readonly checkGuid: string;
  /** Of its check, as filters find it. */
  readonly paymentStatus: string;
  readonly totalMinor: number;
  readonly paidAtMs: number | null;
  readonly closedAtMs: number | null;
  readonly selections: readonly {
    readonly guid: string;
    readonly fulfillmentStatus: string;
    readonly voidedAtMs: number | null;
  }[];
  readonly events: readonly SeenOrderEvent[];
  readonly payments: readonly {
    readonly paymentUuid: string;
    readonly type: string;
    readonly amountMinor: number;
    readonly isVoided: boolean;
    readonly state: string | null;
    readonly nowTipMinor: number;
    readonly moves: readonly { readonly cause: string; readonly by: string | null }[];
  }[];
}

export interface SeenOrderEvent {
  readonly version: number;
  readonly cause: string;
  readonly by: string;
  readonly atMs: number;
  readonly details: {
    readonly selectionGuids?: readonly string[];
    readonly selectionGuid?: string;
    readonly paymentUuid?: string;
    readonly move?: string;
  } | null;
}

/** An alarm as a person sees it. */
interface SeenAlarm {
  readonly kind: string;
  readonly attempt: number;
}

type EventTuple = [number, string, string, string, number, number, number | null, string | null];

/** The payments of a merchant with those identifiers, as committed now. */
export async function listSeen(
  sql: Sql,
  merchantGuid: string,
  paymentUuids: readonly string[],
): Promise<SeenPayment[]> {
  const rows = await sql<(Omit<SeenPayment, 'events'> & { events: EventTuple[] })[]>`
    select payment_uuid as "paymentUuid", payment_id as "paymentId", client_id as "clientId",
      state, version, attempt, currency_code as "currencyCode", amount_minor as "amountMinor",
      tip_minor as "tipMinor", changed_tip_minor as "changedTipMinor", captured_minor as "capturedMinor",
      authorization_code as "authorizationCode", check_guid as "checkGuid",
      void_reason as "voidReason",
      (extract(epoch from authorized_at) * 1000)::float8 as "authorizedAtMs",
      (extract(epoch from apply_deadline) * 1000)::float8 as "applyDeadlineMs",
      (extract(epoch from capture_deadline) * 1000)::float8 as "captureDeadlineMs",
      (extract(epoch from capture_at) * 1000)::float8 as "captureAtMs",
      (extract(epoch from due_at) * 1000)::float8 as "dueAtMs",
      (select json_agg(json_build_array(version, from_state, cause, to_state, attempt,
          (extract(epoch from occurred_at) * 1000)::float8,
          (details->>'tipMinor')::integer, details->>'by') order by version)
        from payment_event e
        where e.merchant_guid = p.merchant_guid and e.payment_uuid = p.payment_uuid) as events,
      coalesce((select json_agg(json_build_object('kind', kind, 'attempt', attempt))
        from payment_alarm a
        where a.merchant_guid = p.merchant_guid and a.payment_uuid = p.payment_uuid),
        '[]') as alarms,
      (select json_build_object('orderGuid', o.order_guid, 'checkGuid', o.check_guid,
          'amountMinor', o.amount_minor, 'isOrderVoided',
          (select voided_at is not null from restaurant_order
            where restaurant_guid = o.restaurant_guid and guid = o.order_guid))
        from order_payment o
        where o.restaurant_guid = p.merchant_guid and o.payment_uuid = p.payment_uuid
          and o.type = 'CREDIT') as "onOrder"
    from payment p
    where merchant_guid = ${merchantGuid}
      and payment_uuid = any(${paymentUuids}::text[]::uuid[])`;
  return rows.map((row) => ({
    ...row,
    events: row.events.map(([version, from, cause, to, attempt, atMs, newTipMinor, by]) => ({
      ...{ version, from, cause, to, attempt, atMs, newTipMinor, by },
    })),
  }));
}

/** The orders whose identifiers begin so. */
export async function listSeenOrders(
  sql: Sql,
  restaurantGuid: string,
  prefix: string,
): Promise<SeenOrder[]> {
  return await sql<SeenOrder[]>`
    select guid, external_id as "externalId", version, approval_status as approval,
      guest_status as "guestStatus", voided_at is not null as "isVoided",
      (extract(epoch from created_at) * 1000)::float8 as "createdAtMs",
      (extract(epoch from opened_at) * 1000)::float8 as "openedAtMs",
      (extract(epoch from modified_at) * 1000)::float8 as "modifiedAtMs",
      (extract(epoch from fulfilled_at) * 1000)::float8 as "fulfilledAtMs",
      check_guids[1] as "checkGuid", content #>> '{checks,0,paymentStatus}' as "paymentStatus",
      (content #>> '{checks,0,totalMinor}')::integer as "totalMinor",
      (content #>> '{checks,0,paidAtMs}')::float8 as "paidAtMs",
      (content #>> '{checks,0,closedAtMs}')::float8 as "closedAtMs",
      content #> '{checks,0,selections}' as selections,
      (select json_agg(json_build_object('version', version, 'cause', cause, 'by', changed_by,
          'atMs', (extract(epoch from occurred_at) * 1000)::float8, 'details', details)
          order by version)
        from order_event
        where restaurant_guid = o.restaurant_guid and order_guid = o.guid) as events,
      coalesce((select json_agg(json_build_object('paymentUuid', p.payment_uuid, 'type', p.type,
          'amountMinor', p.amount_minor, 'isVoided', p.voided_at is not null,
          'state', card.state, 'nowTipMinor', coalesce(card.changed_tip_minor, p.tip_minor),
          'moves', coalesce((select json_agg(json_build_object('cause', cause,
              'by', details->>'by') order by version)
            from payment_event
            where merchant_guid = card.merchant_guid and payment_uuid = card.payment_uuid), '[]')))
        from order_payment p
        left join payment card on p.type = 'CREDIT' and card.merchant_guid = p.restaurant_guid
          and card.payment_uuid = p.payment_uuid
        where p.restaurant_guid = o.restaurant_guid and p.order_guid = o.guid), '[]') as payments
    from restaurant_order o
    where restaurant_guid = ${restaurantGuid} and starts_with(external_id, ${prefix})`;
}

/** How many of an item there are. */
export async function findQuantity(
  sql: Sql,
  restaurantGuid: string,
  itemGuid: string,
): Promise<number> {
  const [row] = await sql<[{ quantity: number }]>`
    select quantity::float8 as quantity from stock
    where restaurant_guid = ${restaurantGuid} and item_guid = ${itemGuid}`;
  return row.quantity;
}

/** A restaurant with a business day of choice, which approves orders by hand or not. */
export async function updateBusinessDay(
  sql: Sql,
  merchantGuid: string,
  { timeZone, closeoutHour }: BusinessDay,
  orderApproval: 'auto' | 'manual',
): Promise<void> {
  await sql`
    update restaurant set time_zone = ${timeZone}, closeout_hour = ${closeoutHour},
      order_approval = ${orderApproval}
    where guid = ${merchantGuid}`;
}
