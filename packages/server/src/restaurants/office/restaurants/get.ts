import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findManagedRestaurant } from '../../admin-store.ts';
import { restaurantDocument } from '../../manage-restaurants.ts';

export interface GetManagedRestaurantDeps {
  readonly database: Pick<Database, 'sql'>;
}

export const getManagedRestaurantHandler =
  ({ database: { sql } }: GetManagedRestaurantDeps): HandlerOf<'backOffice.restaurants.get'> =>
  async ({ restaurant: { guid } }) => {
    const row = await findManagedRestaurant(sql, guid);
    if (!row) throw new Error(`the restaurant ${guid} vanished`);
    return { json: restaurantDocument(row) };
  };
