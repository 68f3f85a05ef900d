import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';

const restaurantGuid = exampleGuid(serials.restaurant);
const envelope = { timestamp: '2026-01-31T18:00:00.000Z', guid: exampleGuid(serials.event) };

export const eventsExamples = {
  MenusEvent: {
    ...envelope,
    eventCategory: 'menus',
    eventType: 'menus_updated',
    details: { restaurantGuid, publishedDate: '2026-01-31T18:00:00.000Z' },
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
} satisfies Examples<'MenusEvent' | 'PaymentsEvent' | 'StockEvent'>;
