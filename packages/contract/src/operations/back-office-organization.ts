import { flag, trimmed, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid, pageParameters } from './parameters.ts';

const reading = { method: 'GET', scope: 'restaurants.admin:read' } as const;
const changing = { scope: 'restaurants.admin:write' } as const;

const filters = (what: string) => ({
  archived: Type.Optional(
    flag(`true: only archived ${what}. false: only those that are not.`, { example: false }),
  ),
  search: Type.Optional(
    trimmed(`Only ${what} whose name has this text in it, in capitals or not.`, {
      minLength: 1,
      maxLength: 100,
      example: 'harbour',
    }),
  ),
});

const group = {
  interface: 'backOffice',
  tag: 'Management groups',
  response: single('ManagementGroup'),
} as const;
const groupsPath = `${prefix}/managementGroups`;
const groupPath = `${groupsPath}/{managementGroupGuid}`;
const oneGroup = {
  ...group,
  params: { managementGroupGuid: guid('The management group.') },
} as const;

const groupOperations = [
  operation({
    ...group,
    ...reading,
    id: 'backOffice.managementGroups.list',
    path: groupsPath,
    summary: 'List management groups',
    description: 'Answers the management groups that you reach as a whole, by pages, by name.',
    query: { ...filters('groups'), ...pageParameters('Management groups') },
    response: single('ManagementGroupPage'),
  }),
  operation({
    ...group,
    ...changing,
    id: 'backOffice.managementGroups.create',
    heldFor: 'platform',
    method: 'POST',
    path: groupsPath,
    summary: 'Make a management group',
    description:
      'Makes a management group without restaurants. Whoever does so reaches the whole platform. ' +
      'A guid that is taken is a conflict.',
    requestBody: json('CreateManagementGroup'),
    also: [409, 422],
  }),
  operation({
    ...oneGroup,
    ...reading,
    id: 'backOffice.managementGroups.get',
    path: groupPath,
    summary: 'Get a management group',
    description: 'Answers the management group as it is now.',
    also: [404],
  }),
  operation({
    ...oneGroup,
    ...changing,
    id: 'backOffice.managementGroups.update',
    method: 'PATCH',
    path: groupPath,
    summary: 'Edit a management group',
    description:
      'Changes what the body names. With a version that is not the one that the group has by ' +
      'now, it is a conflict and nothing changes.',
    requestBody: json('EditManagementGroup'),
    also: [404, 409, 422],
  }),
  operation({
    ...oneGroup,
    ...changing,
    id: 'backOffice.managementGroups.archive',
    heldFor: 'platform',
    method: 'POST',
    path: `${groupPath}/archive`,
    summary: 'Archive a management group',
    description:
      'Archives a group all of whose restaurants are archived; one that is not is a conflict. ' +
      'No restaurant can be made in it then. Whoever does so reaches the whole platform. Takes ' +
      'no body.',
    also: [404, 409],
  }),
  operation({
    ...oneGroup,
    ...changing,
    id: 'backOffice.managementGroups.unarchive',
    heldFor: 'platform',
    method: 'POST',
    path: `${groupPath}/unarchive`,
    summary: 'Take a management group out of the archive',
    description:
      'Takes the group back; its restaurants stay archived. Whoever does so reaches the whole ' +
      'platform. Takes no body.',
    also: [404],
  }),
] as const;

const restaurant = {
  interface: 'backOffice',
  tag: 'Restaurants',
  response: single('BackOfficeRestaurant'),
} as const;
const restaurantsPath = `${prefix}/restaurants`;
const restaurantPath = `${restaurantsPath}/{restaurantGuid}`;
const oneRestaurant = {
  ...restaurant,
  restaurant: 'restaurantInPath',
  params: { restaurantGuid: guid('The restaurant.') },
} as const;

const restaurantOperations = [
  operation({
    ...restaurant,
    ...reading,
    id: 'backOffice.restaurants.list',
    path: restaurantsPath,
    summary: 'List restaurants',
    description:
      'Answers the restaurants that you reach, by pages, by name. search looks at the name, the ' +
      'location name and the location code.',
    query: {
      managementGroupGuid: Type.Optional(
        uuid('Only restaurants of this management group.', {
          example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
        }),
      ),
      ...filters('restaurants'),
      ...pageParameters('Restaurants'),
    },
    response: single('RestaurantOverviewPage'),
  }),
  operation({
    ...restaurant,
    ...changing,
    id: 'backOffice.restaurants.create',
    heldFor: 'group',
    method: 'POST',
    path: restaurantsPath,
    summary: 'Make a restaurant',
    description:
      'Makes a restaurant without configuration and connections in a management group that you ' +
      'reach as a whole. A guid that is taken is a conflict, and so is a group that is archived.',
    requestBody: json('CreateRestaurant'),
    also: [409, 422],
  }),
  operation({
    ...oneRestaurant,
    ...reading,
    id: 'backOffice.restaurants.get',
    path: restaurantPath,
    summary: 'Get a restaurant',
    description: 'Answers every field of the restaurant as it is now, archived or not.',
  }),
  operation({
    ...oneRestaurant,
    ...changing,
    id: 'backOffice.restaurants.update',
    method: 'PATCH',
    path: restaurantPath,
    summary: 'Edit a restaurant',
    description:
      'Changes what the body names; partners see it at once. Everything that is wrong with the ' +
      'restaurant as it would be is told, and nothing changes. With a version that is not the ' +
      'one that the restaurant has by now, it is a conflict. Another managementGroupGuid moves ' +
      'it to a group that you reach too. Captures that are planned already keep their time when ' +
      'the time zone or the closeout hour changes.',
    requestBody: json('EditRestaurant'),
    also: [409, 422],
  }),
  operation({
    ...oneRestaurant,
    ...changing,
    id: 'backOffice.restaurants.archive',
    heldFor: 'group',
    method: 'POST',
    path: `${restaurantPath}/archive`,
    summary: 'Archive a restaurant',
    description:
      'Takes the restaurant out of operation: partners reach nothing of it, and their lists tell ' +
      'it as deleted. Its payments live on to their end. Whoever does so reaches its management ' +
      'group as a whole. Takes no body.',
  }),
  operation({
    ...oneRestaurant,
    ...changing,
    id: 'backOffice.restaurants.unarchive',
    heldFor: 'group',
    method: 'POST',
    path: `${restaurantPath}/unarchive`,
    summary: 'Take a restaurant out of the archive',
    description:
      'Takes the restaurant into operation again, with the connections that it has. While its ' +
      'management group is archived this is a conflict. Whoever does so reaches the group as a ' +
      'whole. Takes no body.',
    also: [409],
  }),
] as const;

export const organizationOperations = [...groupOperations, ...restaurantOperations] as const;
