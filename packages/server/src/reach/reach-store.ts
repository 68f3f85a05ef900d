import type { Sql } from '../database/database.ts';
import type { Reach } from './reach.ts';

/**
 * For rows with the columns `restaurant_guid`, `management_group_guid` and `partner_guid`, of which
 * at least one says where the row belongs; without any, it belongs to the platform.
 */
export function isAtReachedPlace(sql: Sql, table: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`(${isAtReachedRestaurant(sql, sql`${table}.restaurant_guid`, reach)}
    or ${isReachedGroup(sql, sql`${table}.management_group_guid`, reach)}
    or ${isReachedPartner(sql, sql`${table}.partner_guid`, reach)})`;
}

/** Lists travel as text, so that types do not depend on the driver or pooler. */
export function isAtReachedRestaurant(sql: Sql, column: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  const groups = reach.groupGuids.join(' ');
  const restaurants = reach.restaurantGuids.join(' ');
  return sql`${column} in (
    select guid from restaurant
    where management_group_guid = any(string_to_array(${groups}, ' ')::uuid[])
      or guid = any(string_to_array(${restaurants}, ' ')::uuid[]))`;
}

export function isReachedGroup(sql: Sql, column: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`${column} = any(string_to_array(${reach.groupGuids.join(' ')}, ' ')::uuid[])`;
}

export function isReachedPartner(sql: Sql, column: ReturnType<Sql>, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`${column} = any(string_to_array(${reach.partnerGuids.join(' ')}, ' ')::uuid[])`;
}
