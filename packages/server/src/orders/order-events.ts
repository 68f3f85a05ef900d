import type { Order, PaymentsEventDetails } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import type { RestaurantNews } from '../webhooks/delivery/queue-restaurant-events.ts';
import { orderOnWire, paymentOnWire } from './on-wire.ts';
import { noGuestData, type OrderRow } from './order.ts';
import type { ShownPayment } from './order-store.ts';

export interface ToldOrderChange {
  /** Null for an order that was placed. */
  readonly before: OrderRow | null;
  readonly after: OrderRow;
  /** As they were before the change. */
  readonly paymentsBefore: readonly ShownPayment[];
  readonly payments: readonly ShownPayment[];
  readonly currencyCode: string;
  readonly at: Date;
}

/** ORD-53. */
export function orderNews(change: ToldOrderChange): RestaurantNews[] {
  const { before, after, payments, currencyCode, at } = change;
  const { restaurantGuid, ownerGuid } = after;
  const about = { restaurantGuid, at };
  let shown: Order | null = null;
  const details = () => {
    shown ??= orderForEvents(after, payments, currencyCode);
    return { restaurantGuid, order: shown, appliedPackagingInfo: null };
  };
  const news: RestaurantNews[] = [
    ...paymentNews(change),
    {
      ...about,
      types: ['order_updated'],
      events: async () => [{ type: 'order_updated', details: details() }],
    },
    {
      ...about,
      types: ['channel_order_updated'],
      ofPartner: ownerGuid,
      events: async () => [{ type: 'channel_order_updated', details: details() }],
    },
  ];
  if ((before?.guestStatus ?? 'RECEIVED') !== after.guestStatus) {
    news.push({
      ...about,
      types: ['guestOrderStatusUpdated'],
      ofPartner: ownerGuid,
      events: async () => [guestStatusEvent(after, at)],
    });
  }
  return news;
}

/** HOOK-6: without what guests wrote, and without any `externalId`. */
function orderForEvents(
  order: OrderRow,
  payments: readonly ShownPayment[],
  currencyCode: string,
): Order {
  const showing = { currencyCode, guests: noGuestData, payments, isStored: true };
  return withoutExternalIds(orderOnWire(order, showing)) as Order;
}

function withoutExternalIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExternalIds);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === 'externalId' ? null : withoutExternalIds(inner),
  ]);
  return Object.fromEntries(entries);
}

function guestStatusEvent({ restaurantGuid, guid: orderGuid, guestStatus }: OrderRow, at: Date) {
  const guid = newGuid();
  const details = {
    eventGuid: guid,
    orderGuid,
    restaurantGuid,
    guestOrderStatus: guestStatus,
    lastUpdated: isoTimestamp(at),
    version: null,
  };
  return { type: 'guestOrderStatusUpdated', guid, details } as const;
}

/** HOOK-5, of payments without a card. Those with one are told of by their moves. */
function paymentNews(change: ToldOrderChange): RestaurantNews[] {
  const { before, after, paymentsBefore, payments, currencyCode, at } = change;
  const { restaurantGuid, voidedAt } = after;
  const isOrderVoided = before?.voidedAt === null && voidedAt !== null;
  return payments.flatMap((payment): RestaurantNews[] => {
    const { type, clientId, paymentUuid, orderGuid, checkGuid } = payment;
    const old = paymentsBefore.find((one) => one.paymentUuid === paymentUuid);
    if (type !== 'OTHER' || clientId === null || !old) return [];
    const was = paymentOnWire(old, currencyCode);
    const { paymentStatus, amount, tipAmount } = paymentOnWire(payment, currencyCode);
    if (was.paymentStatus === paymentStatus && was.tipAmount === tipAmount) return [];
    const voided = isOrderVoided ? 'ORDER_VOIDED' : 'POINT_OF_SALE';
    const details: PaymentsEventDetails = {
      ...{ restaurantGuid, paymentUuid, orderGuid, checkGuid, type, paymentStatus },
      ...{ amount, tipAmount, reason: paymentStatus === 'VOIDED' ? voided : null },
    };
    return [
      {
        ...{ restaurantGuid, types: ['payment_updated'], ofClient: clientId, at },
        events: async () => [{ type: 'payment_updated', details }],
      },
    ];
  });
}
