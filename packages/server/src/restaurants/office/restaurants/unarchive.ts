import type { HandlerOf } from '../../../http/operation.ts';
import { archiveRestaurant, type RestaurantDeps } from '../../manage-restaurants.ts';

export const unarchiveRestaurantHandler =
  (deps: RestaurantDeps): HandlerOf<'backOffice.restaurants.unarchive'> =>
  async (request) => ({ json: await archiveRestaurant(deps, request, false) });
