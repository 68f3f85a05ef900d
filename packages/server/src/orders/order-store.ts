import { type Change, type ChangeOrigin, entrySteps } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { GuestData, OrderPaymentRow, OrderRow } from './order.ts';

export const orderColumns = (sql: Sql) => sql`
  restaurant_guid as "restaurantGuid", guid, owner_guid as "ownerGuid", client_id as "clientId",
  external_id as "externalId", request_digest as "requestDigest",
  business_date as "businessDate", display_number as "displayNumber", opened_at as "openedAt",
  promised_at as "promisedAt", created_at as "createdAt", modified_at as "modifiedAt",
  approval_status as "approvalStatus", guest_status as "guestStatus",
  fulfilled_at as "fulfilledAt", voided_at as "voidedAt", fire_at as "fireAt",
  due_at as "dueAt", version, content`;

/**
 * With its guests and identifiers, in one statement: each costs more than its rows. Throws what
 * `insertExternalIds` throws.
 */
export async function insertOrder(
  sql: Sql,
  order: OrderRow,
  guests: GuestData,
  ids: readonly ExternalId[],
): Promise<void> {
  await sql`
    with placed as (${newOrder(sql, order)}), guests as (${newGuestData(sql, order, guests)})
    ${newExternalIds(sql, order, order.guid, ids)}`;
}

function newOrder(sql: Sql, order: OrderRow) {
  return sql`
    insert into restaurant_order (restaurant_guid, guid, owner_guid, client_id, external_id,
      request_digest, business_date, display_number, opened_at, promised_at, created_at,
      modified_at, approval_status, guest_status, fulfilled_at, voided_at, fire_at, due_at,
      check_guids, payment_statuses, version, content)
    values (${order.restaurantGuid}, ${order.guid}, ${order.ownerGuid}, ${order.clientId},
      ${order.externalId}, ${order.requestDigest}, ${order.businessDate}, ${order.displayNumber},
      ${order.openedAt}, ${order.promisedAt}, ${order.createdAt}, ${order.modifiedAt},
      ${order.approvalStatus}, ${order.guestStatus}, ${order.fulfilledAt}, ${order.voidedAt},
      ${order.fireAt}, ${order.dueAt},
      ${order.content.checks.map(({ guid }) => guid)}::uuid[],
      ${paymentStatusesOf(order)}::text[], ${order.version}, ${sql.json(order.content)})`;
}

const paymentStatusesOf = ({ content }: OrderRow) => [
  ...new Set(content.checks.map(({ paymentStatus }) => paymentStatus)),
];

/** The caller holds the restaurant's lock, so the version only finds defects. */
export async function updateOrder(sql: Sql, before: OrderRow, after: OrderRow): Promise<void> {
  const { count } = await sql`
    update restaurant_order
    set modified_at = ${after.modifiedAt}, approval_status = ${after.approvalStatus},
      guest_status = ${after.guestStatus}, fulfilled_at = ${after.fulfilledAt},
      voided_at = ${after.voidedAt}, due_at = ${after.voidedAt ? null : after.dueAt}, version = ${after.version},
      payment_statuses = ${paymentStatusesOf(after)}::text[], content = ${sql.json(after.content)}
    where restaurant_guid = ${before.restaurantGuid} and guid = ${before.guid}
      and version = ${before.version}`;
  if (count !== 1) throw new Error(`order ${before.guid} changed while it was locked`);
}

export async function findOrder(
  sql: Sql,
  restaurantGuid: string,
  guid: string,
): Promise<OrderRow | null> {
  const [row] = await sql<OrderRow[]>`
    select ${orderColumns(sql)} from restaurant_order
    where restaurant_guid = ${restaurantGuid} and guid = ${guid}`;
  return row ?? null;
}

/** The newest of the owners' orders with this identifier. */
export async function listOrdersByExternalId(
  sql: Sql,
  restaurantGuid: string,
  externalId: string,
): Promise<OrderRow[]> {
  return await sql<OrderRow[]>`
    select ${orderColumns(sql)} from restaurant_order
    where restaurant_guid = ${restaurantGuid} and guid in (
      select guid from order_external_id
      where restaurant_guid = ${restaurantGuid} and kind = 'ORDER'
        and external_id = ${externalId})`;
}

/**
 * When an order that changes now was modified: later than every other order of the restaurant, so
 * that a reader of changes misses none. A clock that went back a minute or more is not waited for.
 */
export async function nextModifiedAt(sql: Sql, restaurantGuid: string, now: Date): Promise<Date> {
  const [row] = await sql<{ modifiedAt: Date }[]>`
    select modified_at as "modifiedAt" from restaurant_order
    where restaurant_guid = ${restaurantGuid}
    order by modified_at desc limit 1`;
  const last = row?.modifiedAt.getTime() ?? 0;
  const isFollowed = last >= now.getTime() && last - now.getTime() < 60_000;
  return isFollowed ? new Date(last + 1) : now;
}

/** ORD-55. Returns the last numbers after these many orders and checks took theirs. */
export async function takeNumbers(
  sql: Sql,
  restaurantGuid: string,
  businessDate: number,
  taken: { readonly orders: number; readonly checks: number },
): Promise<{ readonly orders: number; readonly checks: number }> {
  const [row] = await sql<[{ orders: number; checks: number }]>`
    insert into order_number as number (restaurant_guid, business_date, orders, checks)
    values (${restaurantGuid}, ${businessDate}, ${taken.orders}, ${taken.checks})
    on conflict (restaurant_guid, business_date) do update
    set orders = number.orders + excluded.orders, checks = number.checks + excluded.checks
    returning orders, checks`;
  return row;
}

export async function upsertGuestData(
  sql: Sql,
  order: OrderRow,
  content: GuestData,
): Promise<void> {
  await sql`
    ${newGuestData(sql, order, content)}
    on conflict (restaurant_guid, order_guid) do update set content = excluded.content`;
}

function newGuestData(
  sql: Sql,
  { restaurantGuid, guid, businessDate }: OrderRow,
  content: GuestData,
) {
  return sql`
    insert into order_guest (restaurant_guid, order_guid, business_date, content)
    values (${restaurantGuid}, ${guid}, ${businessDate}, ${sql.json(content)})`;
}

export async function listGuestData(
  sql: Sql,
  restaurantGuid: string,
  orderGuids: readonly string[],
): Promise<{ orderGuid: string; content: GuestData }[]> {
  return await sql<{ orderGuid: string; content: GuestData }[]>`
    select order_guid as "orderGuid", content from order_guest
    where restaurant_guid = ${restaurantGuid} and order_guid = any(${orderGuids}::uuid[])`;
}

export interface ExternalId {
  readonly kind: 'ORDER' | 'CHECK' | 'SELECTION';
  readonly externalId: string;
  readonly guid: string;
}

export interface TakenExternalId extends ExternalId {
  readonly orderGuid: string;
}

interface Owner {
  readonly restaurantGuid: string;
  readonly ownerGuid: string;
}

/** One primary key lookup per identifier: a join may read every identifier of the owner instead. */
export async function listTakenExternalIds(
  sql: Sql,
  { restaurantGuid, ownerGuid }: Owner,
  wanted: readonly Pick<ExternalId, 'kind' | 'externalId'>[],
): Promise<TakenExternalId[]> {
  if (wanted.length === 0) return [];
  return await sql<TakenExternalId[]>`
    select taken.kind, taken.external_id as "externalId", taken.guid,
      taken.order_guid as "orderGuid"
    from unnest(${wanted.map(({ kind }) => kind)}::text[],
      ${wanted.map(({ externalId }) => externalId)}::text[]) as wanted (kind, external_id)
    cross join lateral (
      select kind, external_id, guid, order_guid from order_external_id
      where restaurant_guid = ${restaurantGuid} and owner_guid = ${ownerGuid}
        and kind = wanted.kind and external_id = wanted.external_id
      limit 1
    ) as taken`;
}

/** Throws a unique violation (23505) if one was taken: the caller has looked under its lock. */
export async function insertExternalIds(
  sql: Sql,
  owner: Owner,
  orderGuid: string,
  ids: readonly ExternalId[],
): Promise<void> {
  if (ids.length > 0) await newExternalIds(sql, owner, orderGuid, ids);
}

function newExternalIds(
  sql: Sql,
  { restaurantGuid, ownerGuid }: Owner,
  orderGuid: string,
  ids: readonly ExternalId[],
) {
  return sql`
    insert into order_external_id (restaurant_guid, owner_guid, kind, external_id, guid, order_guid)
    select ${restaurantGuid}::uuid, ${ownerGuid}::uuid, kind, external_id, guid, ${orderGuid}::uuid
    from unnest(${ids.map(({ kind }) => kind)}::text[],
      ${ids.map(({ externalId }) => externalId)}::text[],
      ${ids.map(({ guid }) => guid)}::uuid[]) as given (kind, external_id, guid)`;
}

export interface OrderEvent {
  readonly cause: string;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly by: string;
  readonly requestId: string | null;
}

/** With its entry of the audit log, if there is one. */
export async function insertOrderEvent(
  sql: Sql,
  { restaurantGuid, guid, version, modifiedAt }: OrderRow,
  { cause, details, by, requestId }: OrderEvent,
  entry: { readonly origin: ChangeOrigin; readonly change: Change } | null,
): Promise<void> {
  await sql`
    ${entry ? sql`with ${entrySteps(sql, entry.origin, entry.change)}` : sql``}
    insert into order_event (restaurant_guid, order_guid, version, cause, details, occurred_at,
      changed_by, request_id)
    values (${restaurantGuid}, ${guid}, ${version}, ${cause}, ${details && sql.json(details)},
      ${modifiedAt}, ${by}, ${requestId})`;
}

/** Whether a version of an order came of a change, and not of somebody else's. */
export async function isVersionOf(
  sql: Sql,
  { restaurantGuid, guid, version }: Pick<OrderRow, 'restaurantGuid' | 'guid' | 'version'>,
  { by, requestId }: Pick<OrderEvent, 'by' | 'requestId'>,
): Promise<boolean> {
  const rows = await sql`
    select from order_event
    where restaurant_guid = ${restaurantGuid} and order_guid = ${guid} and version = ${version}
      and changed_by = ${by} and request_id is not distinct from ${requestId}::uuid`;
  return rows.length > 0;
}

export async function insertOrderPayments(
  sql: Sql,
  payments: readonly OrderPaymentRow[],
): Promise<void> {
  await Promise.all(
    payments.map(
      (payment) => sql`
      insert into order_payment (restaurant_guid, payment_uuid, order_guid, check_guid,
        external_id, client_id, type, amount_minor, tip_minor, tendered_minor, other_payment_guid, entry_mode,
        paid_at, paid_business_date, position)
      values (${payment.restaurantGuid}, ${payment.paymentUuid}, ${payment.orderGuid},
        ${payment.checkGuid}, ${payment.externalId}, ${payment.clientId}, ${payment.type},
        ${payment.amountMinor}, ${payment.tipMinor}, ${payment.tenderedMinor}, ${payment.otherPaymentGuid},
        ${payment.entryMode}, ${payment.paidAt}, ${payment.paidBusinessDate},
        ${payment.position})`,
    ),
  );
}

/** With the state and card of the authorization behind a CREDIT payment. */
export interface ShownPayment extends OrderPaymentRow {
  readonly state: string | null;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
}

const paymentColumns = (sql: Sql) => sql`
  p.restaurant_guid as "restaurantGuid", p.payment_uuid as "paymentUuid",
  p.order_guid as "orderGuid", p.check_guid as "checkGuid", p.external_id as "externalId",
  p.client_id as "clientId", p.type, p.amount_minor as "amountMinor",
  coalesce(card.changed_tip_minor, p.tip_minor) as "tipMinor",
  p.tendered_minor as "tenderedMinor", p.other_payment_guid as "otherPaymentGuid",
  p.entry_mode as "entryMode", p.paid_at as "paidAt", p.paid_business_date as "paidBusinessDate",
  p.voided_at as "voidedAt", p.void_business_date as "voidBusinessDate", p.position,
  card.state, card.card_brand as "cardBrand", card.card_last4 as "cardLast4"`;

const paymentsWithCards = (sql: Sql) => sql`
  order_payment p left join payment card
    on p.type = 'CREDIT' and card.merchant_guid = p.restaurant_guid
      and card.payment_uuid = p.payment_uuid`;

export async function listOrderPayments(
  sql: Sql,
  restaurantGuid: string,
  orderGuids: readonly string[],
): Promise<ShownPayment[]> {
  return await sql<ShownPayment[]>`
    select ${paymentColumns(sql)} from ${paymentsWithCards(sql)}
    where p.restaurant_guid = ${restaurantGuid} and p.order_guid = any(${orderGuids}::uuid[])
    order by p.order_guid, p.position`;
}

export async function findOrderPayment(
  sql: Sql,
  restaurantGuid: string,
  paymentUuid: string,
): Promise<ShownPayment | null> {
  const [row] = await sql<ShownPayment[]>`
    select ${paymentColumns(sql)} from ${paymentsWithCards(sql)}
    where p.restaurant_guid = ${restaurantGuid} and p.payment_uuid = ${paymentUuid}`;
  return row ?? null;
}

export async function voidOrderPayments(
  sql: Sql,
  { restaurantGuid, guid }: Pick<OrderRow, 'restaurantGuid' | 'guid'>,
  { voidedAt, voidBusinessDate }: { readonly voidedAt: Date; readonly voidBusinessDate: number },
): Promise<void> {
  await sql`
    update order_payment set voided_at = ${voidedAt}, void_business_date = ${voidBusinessDate}
    where restaurant_guid = ${restaurantGuid} and order_guid = ${guid} and voided_at is null`;
}

/** Null takes a void back. */
export async function updatePaymentVoided(
  sql: Sql,
  { restaurantGuid, paymentUuid }: Pick<OrderPaymentRow, 'restaurantGuid' | 'paymentUuid'>,
  voided: { readonly voidedAt: Date; readonly voidBusinessDate: number } | null,
): Promise<void> {
  await sql`
    update order_payment
    set voided_at = ${voided?.voidedAt ?? null},
      void_business_date = ${voided?.voidBusinessDate ?? null}
    where restaurant_guid = ${restaurantGuid} and payment_uuid = ${paymentUuid}`;
}

export async function updatePaymentTip(
  sql: Sql,
  { restaurantGuid, paymentUuid }: OrderPaymentRow,
  tipMinor: number,
): Promise<void> {
  await sql`
    update order_payment set tip_minor = ${tipMinor}
    where restaurant_guid = ${restaurantGuid} and payment_uuid = ${paymentUuid}`;
}

/** For paths that name an order without its restaurant (ORD-3). */
export async function findRestaurantOfOrder(sql: Sql, orderGuid: string): Promise<string | null> {
  const [row] = await sql<{ guid: string }[]>`
    select restaurant_guid as guid from restaurant_order where guid = ${orderGuid}`;
  return row?.guid ?? null;
}

export async function findOrderOfCheck(
  sql: Sql,
  restaurantGuid: string,
  checkGuid: string,
): Promise<string | null> {
  const [row] = await sql<{ guid: string }[]>`
    select guid from restaurant_order
    where check_guids @> array[${checkGuid}::uuid] and restaurant_guid = ${restaurantGuid}`;
  return row?.guid ?? null;
}
