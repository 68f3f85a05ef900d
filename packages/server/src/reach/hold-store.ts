import type { Sql } from '../database/database.ts';

type Fragment = ReturnType<Sql>;

/**
 * Locks a restaurant until the transaction ends. Changes of its configuration, stock and orders wait
 * for each other here; foreign key checks pass, so no payment waits. The join is for a cluster: it
 * takes the lock where the rows of the restaurant are, and where the transaction ends last.
 */
export function heldRestaurant(sql: Sql, columns: Fragment, guid: string, patience = sql``) {
  return sql`
    select ${columns}
    from restaurant left join published_menus beside on beside.restaurant_guid = ${guid}
    where guid = ${guid} and (beside.restaurant_guid is null or beside.restaurant_guid = guid)
    for no key update of restaurant ${patience}`;
}
