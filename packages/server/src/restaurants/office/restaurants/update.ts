import { refusingItself } from '../../../http/look-further.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { editRestaurant, type RestaurantDeps } from '../../manage-restaurants.ts';
import { readRestaurantEdit } from './read-restaurant.ts';

export const updateRestaurantHandler = (
  deps: RestaurantDeps,
): HandlerOf<'backOffice.restaurants.update'> =>
  refusingItself(async (request) => ({
    json: await editRestaurant(deps, request, readRestaurantEdit(request)),
  }));
