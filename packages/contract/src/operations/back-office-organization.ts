import { flag, trimmed, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid, pageParameters } from './parameters.ts';

const reading = { method: 'GET', scope: 'restaurants.admin:read' } as const;
const changing = { scope: 'restaurants.admin:write' } as const;

const filters = (what: string, where: string) => ({
  archived: Type.Optional(
    flag(`true: only archived ${what}. false: only those that are not archived.`, {
      example: false,
    }),
  ),
  search: Type.Optional(
    trimmed(`Only ${what} with this text in their ${where}. Case does not matter.`, {
      minLength: 1,
      maxLength: 100,
      example: 'harbor',
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
    description:
      'Returns pages of the management groups that you have full access to, sorted by name.',
    query: { ...filters('groups', 'name'), ...pageParameters('Management groups') },
    response: single('ManagementGroupPage'),
  }),
  operation({
    ...group,
    ...changing,
    id: 'backOffice.managementGroups.create',
    heldFor: 'platform',
    method: 'POST',
    path: groupsPath,
    summary: 'Create a management group',
    description:
      'Creates a management group without restaurants. Requires access to the whole platform. A ' +
      'guid that is already in use is a 409.',
    requestBody: json('CreateManagementGroup'),
    also: [409, 422],
  }),
  operation({
    ...oneGroup,
    ...reading,
    id: 'backOffice.managementGroups.get',
    path: groupPath,
    summary: 'Get a management group',
    description: 'Returns the management group as it is now.',
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
      'Changes the fields in the body. If the body has a version and the group has changed since ' +
      'that version, this is a 409 and nothing changes.',
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
      'Archives a group whose restaurants are all archived; otherwise this is a 409. No ' +
      'restaurant can be created in an archived group. Requires access to the whole platform. ' +
      'Takes no body.',
    also: [404, 409],
  }),
  operation({
    ...oneGroup,
    ...changing,
    id: 'backOffice.managementGroups.unarchive',
    heldFor: 'platform',
    method: 'POST',
    path: `${groupPath}/unarchive`,
    summary: 'Unarchive a management group',
    description:
      'Unarchives the group. Its restaurants stay archived. Requires access to the whole ' +
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
      'Returns pages of the restaurants that you have access to, sorted by name. The search ' +
      'covers the first 100 characters of the name, the location name, and the location code.',
    query: {
      managementGroupGuid: Type.Optional(
        uuid('Only restaurants of this management group.', {
          example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
        }),
      ),
      ...filters('restaurants', 'name, location name, or location code'),
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
    summary: 'Create a restaurant',
    description:
      'Creates a restaurant without configuration or connections, in a management group that you ' +
      'have full access to. A guid that is already in use is a 409, and so is an archived ' +
      'group.',
    requestBody: json('CreateRestaurant'),
    also: [409, 422],
  }),
  operation({
    ...oneRestaurant,
    ...reading,
    id: 'backOffice.restaurants.get',
    path: restaurantPath,
    summary: 'Get a restaurant',
    description: 'Returns every field of the restaurant as it is now, archived or not.',
  }),
  operation({
    ...oneRestaurant,
    ...changing,
    id: 'backOffice.restaurants.update',
    method: 'PATCH',
    path: restaurantPath,
    summary: 'Edit a restaurant',
    description:
      'Changes the fields in the body. Partners see the change at once. If the result would ' +
      'break a rule, the response lists every fault and nothing changes. If the body has a ' +
      'version and the restaurant has changed since that version, this is a 409. To move the ' +
      'restaurant, send the managementGroupGuid of another group that you have full access to. ' +
      'When the time zone or the closeout hour changes, captures that are already scheduled ' +
      'keep their time.',
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
      'Takes the restaurant out of operation: partners can no longer reach it, and their lists ' +
      'show it as deleted. Existing payments still run to completion. Requires access to its whole ' +
      'management group. Takes no body.',
  }),
  operation({
    ...oneRestaurant,
    ...changing,
    id: 'backOffice.restaurants.unarchive',
    heldFor: 'group',
    method: 'POST',
    path: `${restaurantPath}/unarchive`,
    summary: 'Unarchive a restaurant',
    description:
      'Puts the restaurant back into operation with its connections. If its management group is ' +
      'archived, this is a 409. Requires access to the whole group. Takes no body.',
    also: [409],
  }),
] as const;

export const organizationOperations = [...groupOperations, ...restaurantOperations] as const;
