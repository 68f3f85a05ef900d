import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';
import { orderExamples } from './orders.ts';

const restaurantGuid = exampleGuid(serials.restaurant);
const envelope = { timestamp: '2026-01-31T18:00:00.000Z', guid: exampleGuid(serials.event) };

const { Order } = orderExamples;
/** Without guest data, as all events. */
const orderDetails = {
  restaurantGuid,
  order: {
    ...Order,
    externalId: null,
    checks: Order.checks.map((check) => ({ ...check, customer: null })),
  },
  appliedPackagingInfo: null,
};

export const eventsExamples = {
  MenusEvent: {
    ...envelope,
    eventCategory: 'menus',
    eventType: 'menus_updated',
    details: { restaurantGuid, publishedDate: '2026-01-31T18:00:00.000Z' },
  },
  OrderUpdatedEvent: {
    ...envelope,
    eventCategory: 'order_updated',
    eventType: 'order_updated',
    details: orderDetails,
  },
  ChannelOrderUpdatedEvent: {
    ...envelope,
    eventCategory: 'channel_order_updated',
    eventType: 'channel_order_updated',
    details: orderDetails,
  },
  GuestOrderStatusEvent: {
    ...envelope,
    eventCategory: 'guest_order_status',
    eventType: 'guestOrderStatusUpdated',
    details: {
      eventGuid: envelope.guid,
      orderGuid: exampleGuid(80),
      restaurantGuid,
      guestOrderStatus: 'IN_PREPARATION',
      lastUpdated: '2026-01-31T18:00:00.000Z',
      version: null,
    },
  },
  StockEvent: {
    ...envelope,
    eventCategory: 'stock',
    eventType: 'low_quantity',
    details: {
      itemGuid: exampleGuid(serials.menuItem),
      restaurantGuid,
      status: 'QUANTITY',
      quantity: 3,
      multiLocationId: exampleMultiLocationId,
      versionId: exampleGuid(serials.menuItem),
    },
  },
  PaymentsEvent: {
    ...envelope,
    eventCategory: 'payments',
    eventType: 'payment_updated',
    details: {
      restaurantGuid,
      paymentUuid: exampleGuid(51),
      orderGuid: null,
      checkGuid: null,
      type: 'CREDIT',
      paymentStatus: 'VOIDED',
      amount: 24.5,
      tipAmount: 4,
      reason: 'UNAPPLIED',
    },
  },
} satisfies Examples<
  | 'MenusEvent'
  | 'OrderUpdatedEvent'
  | 'ChannelOrderUpdatedEvent'
  | 'GuestOrderStatusEvent'
  | 'PaymentsEvent'
  | 'StockEvent'
>;
