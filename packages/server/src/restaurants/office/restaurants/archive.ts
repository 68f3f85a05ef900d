import type { HandlerOf } from '../../../http/operation.ts';
import { archiveRestaurant, type RestaurantDeps } from '../../manage-restaurants.ts';

export const archiveRestaurantHandler =
  (deps: RestaurantDeps): HandlerOf<'backOffice.restaurants.archive'> =>
  async (request) => ({ json: await archiveRestaurant(deps, request, true) });
