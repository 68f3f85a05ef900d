import type { HandlerOf } from '../../../http/operation.ts';
import { findManagedRestaurant } from '../../admin-store.ts';
import type { OrganizationDeps } from '../../manage-groups.ts';
import { restaurantDocument } from '../../manage-restaurants.ts';

export const getManagedRestaurantHandler =
  ({
    database: { sql },
  }: Pick<OrganizationDeps, 'database'>): HandlerOf<'backOffice.restaurants.get'> =>
  async ({ restaurant: { guid } }) => ({
    json: restaurantDocument(await findManagedRestaurant(sql, guid)),
  });
