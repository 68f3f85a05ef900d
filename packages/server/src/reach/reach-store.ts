import type { Sql } from '../database/database.ts';
import type { Reach } from './reach.ts';

/**
 * The condition that a row belongs to a restaurant within reach; `column` holds the restaurant.
 * Lists cross the wire as text, so that nothing hangs on how a driver or pooler types them.
 */
export function isAtReachedRestaurant(sql: Sql, column: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  const groups = reach.groupGuids.join(' ');
  const restaurants = reach.restaurantGuids.join(' ');
  return sql`${column} in (
    select guid from restaurant
    where management_group_guid = any(string_to_array(${groups}, ' ')::uuid[])
      or guid = any(string_to_array(${restaurants}, ' ')::uuid[]))`;
}

/** The condition that a management group is reached as a whole; `column` holds the group. */
export function isReachedGroup(sql: Sql, column: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`${column} = any(string_to_array(${reach.groupGuids.join(' ')}, ' ')::uuid[])`;
}

/** The condition that a partner is reached; `column` holds the partner. */
export function isReachedPartner(sql: Sql, column: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`${column} = any(string_to_array(${reach.partnerGuids.join(' ')}, ' ')::uuid[])`;
}
