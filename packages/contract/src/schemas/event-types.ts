import type { PartnerScope } from '../scopes.ts';

export interface EventKind {
  readonly category: string;
  readonly schema:
    | 'PartnerEvent'
    | 'MenusEvent'
    | 'OrderUpdatedEvent'
    | 'ChannelOrderUpdatedEvent'
    | 'GuestOrderStatusEvent'
    | 'StockEvent'
    | 'PaymentsEvent';
  /** An account that lacks it receives no such event; null for none. */
  readonly scope: PartnerScope | null;
  /** An account that holds it receives no such event. */
  readonly unlessScope?: PartnerScope;
  readonly title: string;
  readonly description: string;
}

/** Every type of event. Documents, filters, the database and the command line follow this table. */
export const eventKinds = {
  partner_added: {
    ...{ category: 'partner', schema: 'PartnerEvent', scope: null },
    title: 'A restaurant was connected',
    description: 'A restaurant was connected to the partner, for the first time or again.',
  },
  partner_updated: {
    ...{ category: 'partner', schema: 'PartnerEvent', scope: null },
    title: 'A connection was changed',
    description: 'A connection was edited, or the information about its restaurant changed.',
  },
  partner_removed: {
    ...{ category: 'partner', schema: 'PartnerEvent', scope: null },
    title: 'A restaurant was disconnected',
    description: 'The connection of a restaurant to the partner ended.',
  },
  menus_updated: {
    ...{ category: 'menus', schema: 'MenusEvent', scope: 'menus:read' },
    title: 'Published menus changed',
    description: 'The published menus of a connected restaurant changed: get them again.',
  },
  order_updated: {
    ...{ category: 'order_updated', schema: 'OrderUpdatedEvent', scope: 'orders:read' },
    unlessScope: 'orders.channel:read',
    title: 'An order was placed or changed',
    description: 'An order of a connected restaurant was placed or changed, by anybody.',
  },
  channel_order_updated: {
    ...{ category: 'channel_order_updated', schema: 'ChannelOrderUpdatedEvent' },
    scope: 'orders.channel:read',
    title: 'One of your orders was placed or changed',
    description: 'The partner placed an order, or somebody changed one that it placed.',
  },
  guestOrderStatusUpdated: {
    ...{ category: 'guest_order_status', schema: 'GuestOrderStatusEvent', scope: 'orders:read' },
    title: 'The status of one of your orders changed',
    description: 'The guestOrderStatus changed for an order that the partner placed.',
  },
  in_stock: {
    ...{ category: 'stock', schema: 'StockEvent', scope: 'stock:read' },
    title: 'An item is in stock',
    description:
      'An item was set to IN_STOCK or to a quantity above 5, or voided orders raised its quantity above 5.',
  },
  low_quantity: {
    ...{ category: 'stock', schema: 'StockEvent', scope: 'stock:read' },
    title: 'Few portions of an item are left',
    description:
      'An item was set to a quantity of at most 5, orders left fewer than 5, or voided orders ' +
      'returned an out-of-stock item to stock with 5 or fewer.',
  },
  out_of_stock: {
    ...{ category: 'stock', schema: 'StockEvent', scope: 'stock:read' },
    title: 'An item is out of stock',
    description: 'An item became OUT_OF_STOCK.',
  },
  payment_updated: {
    ...{ category: 'payments', schema: 'PaymentsEvent', scope: 'credit_cards.authorization:write' },
    title: 'A payment changed',
    description:
      'The paymentStatus or tip of a payment that the partner authorized, or added to an order, ' +
      'changed afterwards.',
  },
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventType = keyof typeof eventKinds;

export const eventTypes = Object.keys(eventKinds) as readonly EventType[];

export type EventCategory = (typeof eventKinds)[EventType]['category'];
