import type { Order } from '@servery/contract';
import type { PricedOrder } from '@servery/pricing';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { Faults } from '../../http/faults.ts';
import { commitOrReadBack } from '../../http/read-back.ts';
import { makeMove } from '../../payments/life/outcome.ts';
import { recordMoveWithin } from '../../payments/life/record.ts';
import type { PaymentRow } from '../../payments/life/store.ts';
import { recordReadStock } from '../../stock/record.ts';
import type { RestaurantNews } from '../../webhooks/delivery/queue-restaurant-events.ts';
import { dueOf } from '../kitchen/due.ts';
import { orderOnWire } from '../on-wire.ts';
import type { GuestData, OrderPaymentRow, OrderRow } from '../order.ts';
import type { OrderDeps } from '../order-deps.ts';
import { conflicting, refuseOrder } from '../order-faults.ts';
import {
  type ExternalId,
  findOrder,
  insertOrder,
  insertOrderPayments,
  listTakenExternalIds,
  nextModifiedAt,
  type ShownPayment,
  type TakenExternalId,
  takeNumbers,
} from '../order-store.ts';
import { type BuildingContext, buildOrder } from '../price/build-order.ts';
import { findOrderingRestaurantForUpdate, type OrderingRestaurant } from '../published-store.ts';
import { afterStep, type ReadOrder } from '../read-order/read-order.ts';
import type { ReadPayment } from '../read-order/read-payments.ts';
import type { ReadSelection } from '../read-order/read-selection.ts';
import type { ReadingContext } from '../read-order/reading.ts';
import { recordOrderChange } from '../record-order-change.ts';
import { asPaid, settleCheck } from '../settle-check.ts';
import { needOf, refuseShortItems, stockAfter } from '../stock-need.ts';
import { listStockOf } from '../stock-store.ts';
import { businessDateOf } from '../times.ts';
import { findAuthorizations, judgePayments } from './judge-payments.ts';

export interface Placing {
  readonly deps: OrderDeps;
  readonly context: ReadingContext;
  readonly read: ReadOrder;
  readonly priced: PricedOrder | null;
  readonly ownerGuid: string;
  readonly clientId: string;
  readonly requestDigest: Buffer;
  readonly origin: ChangeOrigin;
}

export interface PlacedOrder {
  readonly row: OrderRow;
  readonly guests: GuestData;
  readonly payments: readonly ShownPayment[];
}

/** What the order was read by has changed, or a payment was moved: read everything again. */
export class Outdated extends Error {}

/** Prices and business dates go by what was published when they were computed. */
export function refuseOutdated(now: OrderingRestaurant, read: OrderingRestaurant): void {
  const isSame =
    now.publishNumber === read.publishNumber &&
    now.currencyCode === read.currencyCode &&
    now.timeZone === read.timeZone &&
    now.closeoutHour === read.closeoutHour;
  if (!isSame) throw new Outdated();
}

/** Notes what only the database can tell: stock, payments, identifiers that were taken. */
export async function judgeOrder(sql: Sql, placing: Placing, faults: Faults) {
  const { deps, context, read, ownerGuid, clientId } = placing;
  const { restaurant, nowMs } = context;
  const { guid: restaurantGuid } = restaurant;
  const sent = sentIds(read);
  const needs = needOf(read.checks.flatMap(({ selections }) => selections));
  const payments = read.checks.flatMap((check) => check.payments);
  const [taken, stock, authorizations] = await Promise.all([
    listTakenExternalIds(sql, { restaurantGuid, ownerGuid }, sent),
    listStockOf(sql, restaurantGuid, [...needs.keys()]),
    findAuthorizations(sql, payments, restaurantGuid, clientId),
  ]);
  refuseTakenIds(sent, taken, faults);
  if (deps.orderSettings.stock === 'enforce') refuseShortItems(needs, stock, faults);
  const fulfilledMs = Math.max(read.openedAtMs ?? nowMs, read.promisedAtMs ?? 0);
  judgePayments(payments, authorizations, { restaurant, nowMs, fulfilledMs, faults });
  return { stockChanges: stockAfter(needs, stock), authorizations };
}

/** ORD-52, for checks and selections. */
export function refuseTakenIds(
  sent: readonly SentId[],
  taken: readonly TakenExternalId[],
  faults: Faults,
): void {
  const keyOf = ({ kind, externalId }: Pick<SentId, 'kind' | 'externalId'>) =>
    `${kind} ${externalId}`;
  const takenByKey = new Map(taken.map((one) => [keyOf(one), one]));
  const used = new Set<string>();
  for (const { kind, externalId, path } of sent) {
    const key = keyOf({ kind, externalId });
    const first = takenByKey.get(key);
    const what = kind === 'CHECK' ? 'check' : 'selection';
    if (first)
      conflicting(faults, path, `is already in use for the ${what} ${first.guid}: send another`);
    else if (used.has(key))
      conflicting(
        faults,
        path,
        `is also the externalId of another ${what} in this request: send another`,
      );
    used.add(key);
  }
}

interface SentId extends Pick<ExternalId, 'kind' | 'externalId'> {
  readonly path: readonly (string | number)[];
}

function sentIds({ checks }: ReadOrder): SentId[] {
  return checks.flatMap(({ externalId, part, selections }) => [
    ...sentId('CHECK', externalId, part.path),
    ...sentIdsOf(selections),
  ]);
}

export function sentIdsOf(selections: readonly ReadSelection[]): SentId[] {
  return selections.flatMap(({ externalId, part, modifiers }) => [
    ...sentId('SELECTION', externalId, part.path),
    ...sentIdsOf(modifiers),
  ]);
}

function sentId(kind: SentId['kind'], externalId: string | null, path: SentId['path']): SentId[] {
  return externalId === null ? [] : [{ kind, externalId, path: [...path, 'externalId'] }];
}

/** ORD-45: all in one transaction, or nothing. Throws `Outdated` if it has to be read again. */
export async function placeOrder(placing: Placing): Promise<PlacedOrder> {
  const { deps, context } = placing;
  const { database, observer } = deps;
  const guid = newGuid();
  const placed = await commitOrReadBack(
    database,
    (sql) => placeWithin(sql, placing, guid),
    async () => (await findOrder(database.sql, context.restaurant.guid, guid)) !== null,
    { isBegunAlong: true },
  );
  for (const { type } of placed.payments) if (type === 'CREDIT') observer?.moved('appliedToCheck');
  return placed;
}

async function placeWithin(sql: Sql, placing: Placing, guid: string): Promise<PlacedOrder> {
  const { context, read, priced, ownerGuid, clientId, requestDigest, origin } = placing;
  const { nowMs, restaurant } = context;
  const faults = new Faults({ statuses: [] });
  const openedAtMs = read.openedAtMs ?? nowMs;
  const businessDate = businessDateOf(openedAtMs, restaurant);
  const unnumbered = read.checks.filter(({ displayNumber }) => displayNumber === null).length;
  const taken = { orders: 1, checks: unnumbered };
  // One round trip with BEGIN: all are sent at once, and answered in this order, the lock first.
  // Numbers of an order that is refused are given back with everything else.
  const [locked, , { stockChanges, authorizations }, last, modifiedAt] = await Promise.all([
    findOrderingRestaurantForUpdate(sql, restaurant.guid),
    refuseTakenOrder(sql, placing),
    judgeOrder(sql, placing, faults),
    takeNumbers(sql, restaurant.guid, businessDate, taken),
    nextModifiedAt(sql, restaurant.guid, new Date(nowMs)),
  ]);
  refuseOutdated(locked, restaurant);
  refuseOrder(faults);
  const { diningOption } = read;
  if (!diningOption || !priced) throw new Error('an order without faults was not priced');
  let number = last.checks - unnumbered;
  const building: BuildingContext = {
    ...context,
    nextCheckNumber: () => {
      number += 1;
      return String(number);
    },
  };
  const { content, guests, externalIds } = buildOrder({ ...read, diningOption }, priced, building);
  await afterStep(read);
  const fireAtMs = Math.max(nowMs, (read.promisedAtMs ?? 0) - read.prepMinutes * 60_000);
  const isFuture = fireAtMs > nowMs;
  const payments = paymentsOf(read, content.checks, authorizations, {
    ...{ guid, clientId, nowMs, isFuture, restaurant: locked },
  });
  const checks = content.checks.map((check) =>
    settleCheck(check, payments.map(asPaid), { isFulfilled: false, nowMs }),
  );
  const undated: Omit<OrderRow, 'dueAt'> = {
    restaurantGuid: restaurant.guid,
    guid,
    ownerGuid,
    clientId,
    externalId: read.externalId,
    requestDigest,
    businessDate,
    displayNumber: String(last.orders),
    openedAt: new Date(openedAtMs),
    promisedAt: read.promisedAtMs === null ? null : new Date(read.promisedAtMs),
    createdAt: new Date(nowMs),
    modifiedAt,
    approvalStatus: firstApproval(locked, isFuture),
    guestStatus: 'RECEIVED',
    fulfilledAt: null,
    voidedAt: null,
    fireAt: new Date(fireAtMs),
    version: 1,
    content: { ...content, checks },
  };
  const row = { ...undated, dueAt: dueOf(undated, locked, placing.deps.orderSettings) };
  const ownId: ExternalId[] =
    read.externalId === null ? [] : [{ kind: 'ORDER', externalId: read.externalId, guid }];
  const reason = { cause: 'ORDER', orderGuid: guid } as const;
  const { currencyCode } = locked;
  const news: RestaurantNews[] = [];
  // One round trip again; the order first, which the others refer to.
  const writes = [
    insertOrder(sql, row, guests, [...ownId, ...externalIds]),
    applyPayments(sql, payments, authorizations, { nowMs, by: clientId, news }),
    recordReadStock(sql, origin, restaurant.guid, stockChanges, reason, news),
  ];
  await recordOrderChange(
    sql,
    {
      ...{ before: null, after: row, paymentsBefore: [], payments, currencyCode },
      ...{ by: origin, origin, news, nowMs },
      cause: 'placed',
      details: {
        displayNumber: row.displayNumber,
        businessDate,
        totalMinor: checks.map(({ totalMinor }) => totalMinor),
        payments: payments.map(({ paymentUuid }) => paymentUuid),
      },
    },
    writes,
  );
  return { row, guests, payments };
}

function firstApproval(
  { orderApproval }: OrderingRestaurant,
  isFuture: boolean,
): OrderRow['approvalStatus'] {
  if (orderApproval === 'manual') return 'NEEDS_APPROVAL';
  return isFuture ? 'FUTURE' : 'APPROVED';
}

/** Alone and before all else (ORD-52): of two placed at once, the second finds the first here. */
async function refuseTakenOrder(sql: Sql, { context, read, ownerGuid }: Placing): Promise<void> {
  const { externalId } = read;
  if (externalId === null) return;
  const owner = { restaurantGuid: context.restaurant.guid, ownerGuid };
  const [first] = await listTakenExternalIds(sql, owner, [{ kind: 'ORDER', externalId }]);
  if (first) throw takenOrder(first.guid);
}

export class TakenOrder extends ApiError {
  readonly orderGuid: string;

  constructor(orderGuid: string) {
    super(
      'conflict',
      `externalId is already in use for the order ${orderGuid}: get that order. Send another externalId only for another order.`,
      { notes: { rule: 'ORD-52' } },
    );
    this.orderGuid = orderGuid;
  }
}

const takenOrder = (orderGuid: string) => new TakenOrder(orderGuid);

/** In the order of the request. */
function paymentsOf(
  read: ReadOrder,
  checks: readonly { readonly guid: string }[],
  authorizations: ReadonlyMap<string, PaymentRow>,
  order: {
    readonly guid: string;
    readonly clientId: string;
    readonly nowMs: number;
    readonly isFuture: boolean;
    readonly restaurant: ReadingContext['restaurant'];
  },
): ShownPayment[] {
  const all = read.checks.flatMap(({ payments }, index) =>
    payments.map((payment) => ({ payment, checkGuid: checks[index]?.guid ?? '' })),
  );
  return all.map(({ payment, checkGuid }, position) =>
    paymentRowOf(payment, authorizations.get(payment.paymentUuid ?? '') ?? null, {
      ...{ ...order, checkGuid, position },
    }),
  );
}

export function paymentRowOf(
  payment: ReadPayment,
  authorization: PaymentRow | null,
  order: {
    readonly guid: string;
    readonly clientId: string;
    readonly checkGuid: string;
    readonly position: number;
    readonly nowMs: number;
    readonly isFuture: boolean;
    readonly restaurant: ReadingContext['restaurant'];
  },
): ShownPayment {
  const { guid, clientId, checkGuid, position, nowMs, isFuture, restaurant } = order;
  const paidAtMs = payment.paidAtMs ?? nowMs;
  const isCredit = payment.type === 'CREDIT';
  return {
    restaurantGuid: restaurant.guid,
    paymentUuid: payment.paymentUuid ?? newGuid(),
    orderGuid: guid,
    checkGuid,
    externalId: payment.externalId,
    clientId,
    type: payment.type,
    amountMinor: payment.amountMinor,
    tipMinor: payment.tipMinor,
    tenderedMinor: payment.tenderedMinor ?? (isCredit ? 0 : payment.amountMinor),
    otherPaymentGuid: payment.otherPaymentGuid,
    entryMode: isCredit ? entryModeOf(authorization, isFuture) : null,
    paidAt: new Date(paidAtMs),
    paidBusinessDate: businessDateOf(paidAtMs, restaurant),
    voidedAt: null,
    voidBusinessDate: null,
    position,
    state: isCredit ? 'APPLIED' : null,
    cardBrand: authorization?.cardBrand ?? null,
    cardLast4: authorization?.cardLast4 ?? null,
  };
}

export function entryModeOf(
  authorization: PaymentRow | null,
  isFuture: boolean,
): NonNullable<OrderPaymentRow['entryMode']> {
  if (isFuture) return 'FUTURE_ORDER';
  return authorization?.cardNumberOrigin === 'PARTNER_VAULT' ? 'PARTNER_ECOM_COF' : 'ONLINE';
}

/** In the order of their identifiers, so that two orders can't wait for each other. */
export async function applyPayments(
  sql: Sql,
  payments: readonly ShownPayment[],
  authorizations: ReadonlyMap<string, PaymentRow>,
  when: { readonly nowMs: number; readonly by: string; readonly news: RestaurantNews[] },
): Promise<void> {
  const byUuid = payments
    .filter(({ type }) => type === 'CREDIT')
    .toSorted((one, other) => (one.paymentUuid < other.paymentUuid ? -1 : 1));
  const apply = ({ paymentUuid, orderGuid, checkGuid }: ShownPayment) => {
    const authorization = authorizations.get(paymentUuid);
    if (!authorization) throw new Error('a payment without faults has no authorization');
    const move = makeMove('appliedToCheck', when.nowMs, {
      change: { checkGuid, orderGuid },
      details: { by: when.by },
    });
    return recordMoveWithin(sql, authorization, move, when.news);
  };
  const [, moved] = await Promise.all([
    insertOrderPayments(sql, payments),
    Promise.all(byUuid.map(apply)),
  ]);
  if (moved.includes(null)) throw new Outdated();
}

export function placedOnWire({ row, guests, payments }: PlacedOrder, currencyCode: string): Order {
  return orderOnWire(row, { currencyCode, guests, payments, isStored: true });
}
