import type { Static } from 'typebox';
import type { EventType } from './event-types.ts';
import { answer, choice, dateTime, decimal, money, orNull, text, uuid } from './field.ts';
import { Order } from './orders.ts';
import { guestOrderStatuses, nothing } from './orders-parts.ts';
import { PartnerEvent } from './partners.ts';
import { stockStatuses } from './stock.ts';
import { Type } from './type.ts';

const envelope = <const Category extends string, const Types extends readonly EventType[]>(
  category: Category,
  types: Types,
) => ({
  timestamp: dateTime('When it happened.'),
  eventCategory: Type.Literal(category, { description: `Always ${category}.` }),
  eventType: choice('What happened.', types),
  guid: uuid('Identifier of the event, the same in every delivery.'),
});
const restaurantGuid = uuid('The restaurant.');

export const MenusEventDetails = answer('Which menus, and since when.', {
  restaurantGuid,
  publishedDate: dateTime('The lastUpdated of the menus from now on.'),
});

export const MenusEvent = answer('Tells a partner that published menus changed.', {
  ...envelope('menus', ['menus_updated']),
  details: MenusEventDetails,
});
export type MenusEventDetails = Static<typeof MenusEventDetails>;
export type MenusEvent = Static<typeof MenusEvent>;

export const OrderEventDetails = answer('The order as it is now, without guest data.', {
  restaurantGuid,
  order: Order,
  appliedPackagingInfo: nothing,
});
export type OrderEventDetails = Static<typeof OrderEventDetails>;

export const OrderUpdatedEvent = answer('Tells a partner that an order was placed or changed.', {
  ...envelope('order_updated', ['order_updated']),
  details: OrderEventDetails,
});
export type OrderUpdatedEvent = Static<typeof OrderUpdatedEvent>;

export const ChannelOrderUpdatedEvent = answer(
  'The partner placed an order, or somebody changed one that it placed.',
  {
    ...envelope('channel_order_updated', ['channel_order_updated']),
    details: OrderEventDetails,
  },
);
export type ChannelOrderUpdatedEvent = Static<typeof ChannelOrderUpdatedEvent>;

export const GuestOrderStatusEventDetails = answer('The order and its status.', {
  eventGuid: uuid('Equals the guid of the event.'),
  orderGuid: uuid('The order.'),
  restaurantGuid,
  guestOrderStatus: choice('What the guest may be told from now on.', guestOrderStatuses),
  lastUpdated: dateTime('When the status changed.'),
  version: nothing,
});

export const GuestOrderStatusEvent = answer(
  'Tells a partner that the status of one of its orders changed.',
  {
    ...envelope('guest_order_status', ['guestOrderStatusUpdated']),
    details: GuestOrderStatusEventDetails,
  },
);
export type GuestOrderStatusEventDetails = Static<typeof GuestOrderStatusEventDetails>;
export type GuestOrderStatusEvent = Static<typeof GuestOrderStatusEvent>;

export const StockEventDetails = answer('The item and its stock.', {
  itemGuid: uuid('The item.'),
  restaurantGuid,
  status: choice('The status of the item from now on.', stockStatuses),
  quantity: orNull(
    decimal('Remaining portions if status is QUANTITY; otherwise null.', {
      exclusiveMinimum: 0,
    }),
  ),
  multiLocationId: text('Shared by all versions of an item that is offered at several locations.'),
  versionId: uuid('Reserved for future use; equals itemGuid.'),
});

export const StockEvent = answer('Tells a partner that the stock of an item changed.', {
  ...envelope('stock', ['in_stock', 'low_quantity', 'out_of_stock']),
  details: StockEventDetails,
});
export type StockEventDetails = Static<typeof StockEventDetails>;
export type StockEvent = Static<typeof StockEvent>;

export const PaymentsEventDetails = answer('The payment, without card or guest data.', {
  restaurantGuid,
  paymentUuid: uuid('The payment.'),
  orderGuid: orNull(uuid('The order of its check; null if the platform knows none.')),
  checkGuid: orNull(uuid('The check that it was applied to; null if there is none.')),
  type: choice('The type of the payment.', ['CREDIT', 'OTHER']),
  paymentStatus: choice(
    'AUTHORIZED: its amount is held. CAPTURE_IN_PROGRESS: it is being captured. CAPTURED: it ' +
      'was captured. PROCESSING_VOID: its hold is being voided. VOIDED: nothing is held. ' +
      'ERROR: a person must look at it.',
    ['AUTHORIZED', 'CAPTURE_IN_PROGRESS', 'CAPTURED', 'PROCESSING_VOID', 'VOIDED', 'ERROR'],
  ),
  amount: money('Amount without the tip'),
  tipAmount: money('Tip'),
  reason: orNull(
    choice(
      'Why the payment is voided. UNAPPLIED: it was not applied to a check in time. UNCAPTURED: it ' +
        'was not captured in time. POINT_OF_SALE: the restaurant voided it. ORDER_VOIDED: its ' +
        'order was voided. Null otherwise.',
      ['UNAPPLIED', 'UNCAPTURED', 'POINT_OF_SALE', 'ORDER_VOIDED'],
    ),
  ),
});

export const PaymentsEvent = answer('Tells a partner that one of its payments changed.', {
  ...envelope('payments', ['payment_updated']),
  details: PaymentsEventDetails,
});
export type PaymentsEventDetails = Static<typeof PaymentsEventDetails>;
export type PaymentsEvent = Static<typeof PaymentsEvent>;

export const WebhookEvent = Type.Union(
  [
    PartnerEvent,
    MenusEvent,
    OrderUpdatedEvent,
    ChannelOrderUpdatedEvent,
    GuestOrderStatusEvent,
    StockEvent,
    PaymentsEvent,
  ],
  { description: 'An event of any type: its eventType says which.' },
);
export type WebhookEvent = Static<typeof WebhookEvent>;
