import type { Static } from 'typebox';
import { answer, choice, dateTime, epoch, flag, list, orNull, text, uuid, whole } from './field.ts';
import { Type } from './type.ts';

const restaurantGuid = uuid('The restaurant.');
const managementGroupGuid = uuid('The management group that the restaurant belongs to.');
const restaurantName = text('Name of the restaurant.');
const locationName = orNull(text('Name of the location, as set in the back office.'));
const externalGroupRef = orNull(
  text(
    'The name that the partner uses for the group, entered by the restaurant ' + 'administrator.',
  ),
);
const externalRestaurantRef = orNull(
  text(
    'The name that the partner uses for the location, entered by the restaurant ' +
      'administrator.',
  ),
);
const times = {
  modifiedDate: epoch('Last edit of the connection, in milliseconds since the epoch.'),
  createdDate: epoch('Creation of the connection, in milliseconds since the epoch.'),
  isoModifiedDate: dateTime('Last edit of the connection.'),
  isoCreatedDate: dateTime('Creation of the connection.'),
};

export const PartnerAccessExternalRep = answer('A restaurant that a partner has access to.', {
  restaurantGuid,
  managementGroupGuid,
  deleted: flag('True if the restaurant no longer operates or no longer uses the platform.'),
  restaurantName,
  locationName,
  createdByEmailAddress: orNull(
    text('Email address of the employee who created or edited the connection.'),
  ),
  externalGroupRef,
  externalRestaurantRef,
  ...times,
});
export type PartnerAccessExternalRep = Static<typeof PartnerAccessExternalRep>;

export const PartnerAccessExternalWebhookRep = answer(
  'A restaurant and the employee who caused an event on its connection with a partner.',
  {
    restaurantGuid,
    managementGroupGuid,
    restaurantName,
    locationName,
    externalGroupRef,
    externalRestaurantRef,
    ...times,
    createdByFirstName: orNull(text('First name of the employee.')),
    createdByLastName: orNull(text('Last name of the employee.')),
    createdByEmailAddress: orNull(text('Email address of the employee.')),
    createdByPhoneNumber: orNull(text('Phone number of the employee.')),
    restaurantPhoneNumber: orNull(text('Phone number of the restaurant.')),
    restaurantAddressLine1: orNull(text('First line of the address of the restaurant.')),
    restaurantAddressLine2: orNull(text('Second line of the address, if any.')),
    restaurantCity: orNull(text('City of the restaurant.')),
    restaurantState: orNull(text('State, province, or county of the restaurant.')),
    restaurantZipCode: orNull(text('Postal code of the restaurant.')),
    restaurantLatitude: orNull(text('Latitude in decimal degrees.')),
    restaurantLongitude: orNull(text('Longitude in decimal degrees.')),
    restaurantCountryCode: orNull(text('Country of the restaurant, ISO 3166-1 alpha-2.')),
    restaurantTimezone: orNull(text('Time zone of the restaurant, by its IANA name.')),
  },
);
export type PartnerAccessExternalWebhookRep = Static<typeof PartnerAccessExternalWebhookRep>;

export const PartnerEvent = answer(
  'Tells a partner that a connection was created, changed, or ended.',
  {
    timestamp: dateTime('When it happened.'),
    eventCategory: Type.Literal('partner', { description: 'Always partner.' }),
    eventType: choice('What happened to the connection.', [
      'partner_added',
      'partner_removed',
      'partner_updated',
    ]),
    guid: uuid('Identifier of the event, the same in every delivery.'),
    details: PartnerAccessExternalWebhookRep,
  },
);
export type PartnerEvent = Static<typeof PartnerEvent>;

export const PaginatedResponse = answer('One page of connected restaurants.', {
  currentPageNum: whole('Number of this page, from 1.', { minimum: 1 }),
  results: list(PartnerAccessExternalRep, 'The restaurants on this page.', { maxItems: 200 }),
  totalResultCount: whole('Number of restaurants on all pages.'),
  pageSize: whole('Restaurants per page.', { minimum: 1, maximum: 200 }),
  currentPageToken: orNull(text('Token of this page.')),
  nextPageToken: orNull(text('Token of the next page; null on the last page.')),
  totalCount: whole('Number of restaurants on all pages.'),
  nextPageNum: orNull(whole('Number of the next page; null on the last page.')),
  lastPageNum: whole('Number of the last page; 1 if there are no restaurants.', { minimum: 1 }),
  previousPageNum: orNull(whole('Number of the previous page; null on the first page.')),
});
export type PaginatedResponse = Static<typeof PaginatedResponse>;

/** The switch of PTN-1 picks the shape. */
export const ConnectedRestaurants = Type.Union(
  [PaginatedResponse, Type.Array(PaginatedResponse, { minItems: 1, maxItems: 1 })],
  {
    description:
      'One page, as an object. A platform with SERVERY_WIRE_CONNECTED_RESTAURANTS_SHAPE=array ' +
      'returns an array that holds that one object.',
  },
);
export type ConnectedRestaurants = Static<typeof ConnectedRestaurants>;
