import type { HandlersOf } from '../../http/operation.ts';
import type { RestaurantDeps } from '../manage-restaurants.ts';
import { archiveGroupHandler } from './groups/archive.ts';
import { createGroupHandler } from './groups/create.ts';
import { type GetGroupDeps, getGroupHandler } from './groups/get.ts';
import { type ListGroupsDeps, listGroupsHandler } from './groups/list.ts';
import { unarchiveGroupHandler } from './groups/unarchive.ts';
import { updateGroupHandler } from './groups/update.ts';
import { archiveRestaurantHandler } from './restaurants/archive.ts';
import { createRestaurantHandler } from './restaurants/create.ts';
import { type GetManagedRestaurantDeps, getManagedRestaurantHandler } from './restaurants/get.ts';
import { type ListRestaurantsDeps, listRestaurantsHandler } from './restaurants/list.ts';
import { unarchiveRestaurantHandler } from './restaurants/unarchive.ts';
import { updateRestaurantHandler } from './restaurants/update.ts';

export type OfficeOrganizationDeps = ListGroupsDeps &
  GetGroupDeps &
  ListRestaurantsDeps &
  GetManagedRestaurantDeps &
  RestaurantDeps;

export const officeOrganizationHandlers = (
  deps: OfficeOrganizationDeps,
): HandlersOf<'backOffice.managementGroups.' | 'backOffice.restaurants.'> => ({
  'backOffice.managementGroups.list': listGroupsHandler(deps),
  'backOffice.managementGroups.create': createGroupHandler(deps),
  'backOffice.managementGroups.get': getGroupHandler(deps),
  'backOffice.managementGroups.update': updateGroupHandler(deps),
  'backOffice.managementGroups.archive': archiveGroupHandler(deps),
  'backOffice.managementGroups.unarchive': unarchiveGroupHandler(deps),
  'backOffice.restaurants.list': listRestaurantsHandler(deps),
  'backOffice.restaurants.create': createRestaurantHandler(deps),
  'backOffice.restaurants.get': getManagedRestaurantHandler(deps),
  'backOffice.restaurants.update': updateRestaurantHandler(deps),
  'backOffice.restaurants.archive': archiveRestaurantHandler(deps),
  'backOffice.restaurants.unarchive': unarchiveRestaurantHandler(deps),
});
