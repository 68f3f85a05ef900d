import { type Examples, exampleGuid, serials } from './example.ts';
import { restaurantExamples } from './restaurants.ts';

const { guid, ...sections } = restaurantExamples.RestaurantInfo;
const createdAt = '2026-01-01T10:00:00.000Z';
const modifiedAt = '2026-01-31T18:30:00.000Z';

const ManagementGroup = {
  guid: exampleGuid(serials.managementGroup),
  name: 'Harbor Restaurants',
  archived: false,
  version: 1,
  createdAt,
  modifiedAt: createdAt,
} satisfies Examples<'ManagementGroup'>['ManagementGroup'];

const { managementGroupGuid, name, timeZone, currencyCode } = sections.general;

const RestaurantOverview = {
  guid,
  managementGroupGuid,
  name,
  locationName: sections.general.locationName,
  locationCode: sections.general.locationCode,
  timeZone,
  currencyCode,
  archived: false,
  version: 4,
  modifiedAt,
} satisfies Examples<'RestaurantOverview'>['RestaurantOverview'];

const RestaurantOrders = {
  approval: 'auto',
} satisfies Examples<'RestaurantOrders'>['RestaurantOrders'];

export const organizationExamples = {
  ManagementGroup,
  ManagementGroupPage: { results: [ManagementGroup], nextPageToken: null },
  CreateManagementGroup: { name: 'Harbor Restaurants' },
  EditManagementGroup: { name: 'Harbor Restaurants Inc.', version: 1 },
  BackOfficeRestaurant: {
    guid,
    version: 4,
    publishNumber: 12,
    createdAt,
    modifiedAt,
    ...sections,
    orders: RestaurantOrders,
  },
  RestaurantOrders,
  RestaurantOverview,
  RestaurantOverviewPage: { results: [RestaurantOverview], nextPageToken: null },
  CreateRestaurant: {
    general: { name, timeZone, currencyCode, managementGroupGuid, locationName: 'Old Pier' },
  },
  EditRestaurant: {
    general: { closeoutHour: 5, description: null },
    delivery: { enabled: true, minimum: 20 },
    orders: { approval: 'manual' },
    version: 4,
  },
} satisfies Examples<
  | 'ManagementGroup'
  | 'ManagementGroupPage'
  | 'CreateManagementGroup'
  | 'EditManagementGroup'
  | 'BackOfficeRestaurant'
  | 'RestaurantOrders'
  | 'RestaurantOverview'
  | 'RestaurantOverviewPage'
  | 'CreateRestaurant'
  | 'EditRestaurant'
>;
