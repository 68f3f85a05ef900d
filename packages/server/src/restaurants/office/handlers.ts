import type { HandlersOf } from '../../http/operation.ts';
import type { ListDeps } from '../../http/page.ts';
import type { RestaurantDeps } from '../manage-restaurants.ts';
import { archiveGroupHandler } from './groups/archive.ts';
import { createGroupHandler } from './groups/create.ts';
import { getGroupHandler } from './groups/get.ts';
import { listGroupsHandler } from './groups/list.ts';
import { unarchiveGroupHandler } from './groups/unarchive.ts';
import { updateGroupHandler } from './groups/update.ts';
import { archiveRestaurantHandler } from './restaurants/archive.ts';
import { createRestaurantHandler } from './restaurants/create.ts';
import { getManagedRestaurantHandler } from './restaurants/get.ts';
import { listRestaurantsHandler } from './restaurants/list.ts';
import { unarchiveRestaurantHandler } from './restaurants/unarchive.ts';
import { updateRestaurantHandler } from './restaurants/update.ts';

export type OfficeOrganizationDeps = ListDeps & RestaurantDeps;

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
