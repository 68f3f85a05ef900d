import { refusingItself } from '../../../http/look-further.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { createRestaurant, restaurantDocument } from '../../manage-restaurants.ts';
import { type ChangeOrganizationDeps, organizerOf } from '../organizer.ts';
import { readNewRestaurant } from './read-restaurant.ts';

export const createRestaurantHandler = (
  deps: ChangeOrganizationDeps,
): HandlerOf<'backOffice.restaurants.create'> =>
  refusingItself(async (request) => {
    const info = readNewRestaurant(request.body, request.faults);
    const row = await createRestaurant(deps, organizerOf(request, deps), info);
    return { json: restaurantDocument(row) };
  });
