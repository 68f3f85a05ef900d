import { type Examples, exampleGuid, serials } from './example.ts';

const restaurantGuid = exampleGuid(serials.restaurant);
const managementGroupGuid = exampleGuid(serials.managementGroup);

const connection = {
  restaurantGuid,
  managementGroupGuid,
  restaurantName: 'Harbor Kitchen',
  locationName: 'Old Pier',
  externalGroupRef: 'harbor',
  externalRestaurantRef: 'harbor-01',
  modifiedDate: 1769882400000,
  createdDate: 1767261600000,
  isoModifiedDate: '2026-01-31T18:00:00.000Z',
  isoCreatedDate: '2026-01-01T10:00:00.000Z',
};

const PartnerAccessExternalRep = {
  ...connection,
  deleted: false,
  createdByEmailAddress: 'ada@example.com',
} satisfies Examples<'PartnerAccessExternalRep'>['PartnerAccessExternalRep'];

const openingHours = { startTime: '11:00:00.000', endTime: '22:00:00.000' };

export const restaurantExamples: Examples<
  | 'ConnectedRestaurants'
  | 'PartnerAccessExternalRep'
  | 'PartnerEvent'
  | 'Restaurant'
  | 'RestaurantInfo'
> = {
  PartnerAccessExternalRep,
  ConnectedRestaurants: {
    currentPageNum: 1,
    results: [PartnerAccessExternalRep],
    totalResultCount: 1,
    pageSize: 100,
    currentPageToken: 'AbCdEf012345',
    nextPageToken: null,
    totalCount: 1,
    nextPageNum: null,
    lastPageNum: 1,
    previousPageNum: null,
  },
  PartnerEvent: {
    timestamp: '2026-01-31T18:00:00.000Z',
    eventCategory: 'partner',
    eventType: 'partner_updated',
    guid: exampleGuid(serials.event),
    details: {
      ...connection,
      createdByFirstName: 'Ada',
      createdByLastName: 'Mensah',
      createdByEmailAddress: 'ada@example.com',
      createdByPhoneNumber: '6175550110',
      restaurantPhoneNumber: '6175550100',
      restaurantAddressLine1: '1 Old Pier',
      restaurantAddressLine2: null,
      restaurantCity: 'Boston',
      restaurantState: 'MA',
      restaurantZipCode: '02110',
      restaurantLatitude: '42.3601',
      restaurantLongitude: '-71.0489',
      restaurantCountryCode: 'US',
      restaurantTimezone: 'America/New_York',
    },
  },
  Restaurant: { guid: restaurantGuid },
  RestaurantInfo: {
    guid: restaurantGuid,
    general: {
      name: 'Harbor Kitchen',
      locationName: 'Old Pier',
      locationCode: 'PIER',
      description: 'Tacos and oysters by the water',
      timeZone: 'America/New_York',
      closeoutHour: 4,
      managementGroupGuid,
      currencyCode: 'USD',
      firstBusinessDate: 20240315,
      archived: false,
    },
    urls: {
      website: 'https://harbor.example',
      facebook: null,
      twitter: null,
      orderOnline: 'https://harbor.example/order',
      purchaseGiftCard: null,
      checkGiftCard: null,
    },
    location: {
      address1: '1 Old Pier',
      address2: null,
      city: 'Boston',
      stateCode: 'MA',
      administrativeArea: 'Massachusetts',
      zipCode: '02110',
      country: 'US',
      phone: '6175550100',
      phoneCountryCode: '1',
      latitude: 42.3601,
      longitude: -71.0489,
    },
    schedules: {
      daySchedules: {
        '1': {
          scheduleName: 'Weekday',
          services: [{ name: 'All day', hours: openingHours, overnight: false }],
          openTime: openingHours.startTime,
          closeTime: openingHours.endTime,
        },
      },
      weekSchedule: {
        monday: null,
        tuesday: '1',
        wednesday: '1',
        thursday: '1',
        friday: '1',
        saturday: '1',
        sunday: '1',
      },
    },
    delivery: { enabled: true, minimum: 15, area: '_ozaGhvfpLhAqgCtjBkDxOtcEa~@fF' },
    onlineOrdering: {
      enabled: true,
      scheduling: true,
      specialRequests: true,
      specialRequestsMessage: 'Tell us about allergies',
      paymentOptions: {
        delivery: { cash: false, ccSameDay: true, ccFuture: true },
        takeout: { cash: true, ccSameDay: true, ccFuture: true, ccInStore: true },
        ccTip: true,
      },
    },
    prepTimes: {
      deliveryPrepTime: 40,
      deliveryTimeAfterOpen: 0,
      deliveryTimeBeforeClose: 0,
      takeoutPrepTime: 20,
      takeoutTimeAfterOpen: 0,
      takeoutTimeBeforeClose: 0,
      takeoutThrottlingTime: 5,
      deliveryThrottlingTime: 5,
    },
  },
};
