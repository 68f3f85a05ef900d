import { refusingItself } from '../../../http/look-further.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { editRestaurant, restaurantDocument } from '../../manage-restaurants.ts';
import { type ChangeOrganizationDeps, organizerOf } from '../organizer.ts';
import { readRestaurantEdit } from './read-restaurant.ts';

export const updateRestaurantHandler = (
  deps: ChangeOrganizationDeps,
): HandlerOf<'backOffice.restaurants.update'> =>
  refusingItself(async (request) => {
    const edit = readRestaurantEdit(request);
    const { guid } = request.restaurant;
    const row = await editRestaurant(deps, guid, organizerOf(request, deps), edit);
    return { json: restaurantDocument(row) };
  });
