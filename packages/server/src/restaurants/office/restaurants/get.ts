import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findManagedRestaurant } from '../../admin-store.ts';
import { restaurantDocument } from '../../manage-restaurants.ts';

export interface GetManagedRestaurantDeps {
  readonly database: Pick<Database, 'sql'>;
}

export const getManagedRestaurantHandler =
  ({ database: { sql } }: GetManagedRestaurantDeps): HandlerOf<'backOffice.restaurants.get'> =>
  async ({ restaurant: { guid } }) => ({
    json: restaurantDocument(await findManagedRestaurant(sql, guid)),
  });
