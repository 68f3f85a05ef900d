import type { HandlerOf } from '../../../http/operation.ts';
import { archiveRestaurant, restaurantDocument } from '../../manage-restaurants.ts';
import { type ChangeOrganizationDeps, organizerOf } from '../organizer.ts';

export const archiveRestaurantHandler =
  (deps: ChangeOrganizationDeps): HandlerOf<'backOffice.restaurants.archive'> =>
  async (request) => {
    const { guid } = request.restaurant;
    const row = await archiveRestaurant(deps, guid, organizerOf(request, deps), true);
    return { json: restaurantDocument(row) };
  };
