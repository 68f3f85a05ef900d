import {
  type EventType,
  exampleOf,
  type OrderUpdatedEvent,
  type PartnerAccessExternalWebhookRep,
  type StockEventDetails,
  type WebhookEvent,
} from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';

const restaurantGuid = '00000000-0000-4000-8000-000000000001';

const exampleOfOrder = exampleOf(
  { schema: 'OrderUpdatedEvent', array: false },
  '',
) as OrderUpdatedEvent;

/** Of the test event with this GUID. */
export function madeUpDetails(type: EventType, guid: string, at: Date): WebhookEvent['details'] {
  switch (type) {
    case 'partner_added':
    case 'partner_updated':
    case 'partner_removed':
      return madeUpConnection(at);
    case 'menus_updated':
      return { restaurantGuid, publishedDate: isoTimestamp(at) };
    case 'order_updated':
    case 'channel_order_updated':
      return { ...exampleOfOrder.details, restaurantGuid };
    case 'guestOrderStatusUpdated':
      return {
        eventGuid: guid,
        orderGuid: '00000000-0000-4000-8000-000000000005',
        restaurantGuid,
        guestOrderStatus: 'IN_PREPARATION',
        lastUpdated: isoTimestamp(at),
        version: null,
      };
    case 'in_stock':
      return madeUpStock({ status: 'IN_STOCK', quantity: null });
    case 'low_quantity':
      return madeUpStock({ status: 'QUANTITY', quantity: 3 });
    case 'out_of_stock':
      return madeUpStock({ status: 'OUT_OF_STOCK', quantity: null });
    case 'payment_updated':
      return {
        restaurantGuid,
        paymentUuid: '00000000-0000-4000-8000-000000000004',
        orderGuid: null,
        checkGuid: null,
        type: 'CREDIT',
        paymentStatus: 'VOIDED',
        amount: 10,
        tipAmount: 2,
        reason: 'UNAPPLIED',
      };
  }
}

function madeUpStock(level: Pick<StockEventDetails, 'status' | 'quantity'>): StockEventDetails {
  const itemGuid = '00000000-0000-4000-8000-000000000003';
  return { itemGuid, restaurantGuid, ...level, multiLocationId: 'TEST-ITEM', versionId: itemGuid };
}

function madeUpConnection(at: Date): PartnerAccessExternalWebhookRep {
  return {
    restaurantGuid,
    managementGroupGuid: '00000000-0000-4000-8000-000000000002',
    restaurantName: 'Test Restaurant',
    locationName: 'Test Street',
    externalGroupRef: 'TEST-GROUP',
    externalRestaurantRef: 'TEST-RESTAURANT',
    modifiedDate: at.getTime(),
    createdDate: at.getTime(),
    isoModifiedDate: isoTimestamp(at),
    isoCreatedDate: isoTimestamp(at),
    createdByFirstName: 'Test',
    createdByLastName: 'Person',
    createdByEmailAddress: 'test@example.com',
    createdByPhoneNumber: '2025550100',
    restaurantPhoneNumber: '2025550101',
    restaurantAddressLine1: '1 Test Street',
    restaurantAddressLine2: 'Floor 2',
    restaurantCity: 'Springfield',
    restaurantState: 'IL',
    restaurantZipCode: '62701',
    restaurantLatitude: '39.7990',
    restaurantLongitude: '-89.6440',
    restaurantCountryCode: 'US',
    restaurantTimezone: 'America/Chicago',
  };
}
