import type { Sql } from '../database/database.ts';

export interface NamedRestaurant {
  readonly name: string;
  readonly connectedAt: Date | null;
  readonly disconnectedAt: Date | null;
}

/** A restaurant, and its connection to the partner if there is or was one. */
export async function findNamedRestaurant(
  sql: Sql,
  restaurantGuid: string,
  partnerGuid: string | null,
): Promise<NamedRestaurant | null> {
  const [row] = await sql<NamedRestaurant[]>`
    select restaurant.name, connection.created_at as "connectedAt",
      connection.removed_at as "disconnectedAt"
    from restaurant
    left join connection
      on connection.restaurant_guid = restaurant.guid
      and connection.partner_guid = ${partnerGuid}::uuid
    where restaurant.guid = ${restaurantGuid}`;
  return row ?? null;
}
