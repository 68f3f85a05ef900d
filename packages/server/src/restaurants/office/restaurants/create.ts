import { refusingItself } from '../../../http/look-further.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { createRestaurant, type RestaurantDeps } from '../../manage-restaurants.ts';
import { readNewRestaurant } from './read-restaurant.ts';

export const createRestaurantHandler = (
  deps: RestaurantDeps,
): HandlerOf<'backOffice.restaurants.create'> =>
  refusingItself(async (request) => {
    const info = readNewRestaurant(request.body, request.faults);
    return { json: await createRestaurant(deps, request, info) };
  });
