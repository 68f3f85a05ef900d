import type { CollectionName, PrepTimes } from '@servery/contract';
import type { Sql } from '../database/database.ts';

/** What orders need to know of a restaurant, as it is now. */
export interface OrderingRestaurant {
  readonly guid: string;
  readonly timeZone: string;
  readonly closeoutHour: number;
  readonly currencyCode: string;
  readonly publishNumber: number;
  readonly prepTimes: Partial<PrepTimes>;
}

const columns = (sql: Sql) => sql`
  guid, time_zone as "timeZone", closeout_hour as "closeoutHour", currency_code as "currencyCode",
  publish_number as "publishNumber", prep_times as "prepTimes"`;

export async function findOrderingRestaurant(
  sql: Sql,
  guid: string,
): Promise<OrderingRestaurant | null> {
  const [row] = await sql<OrderingRestaurant[]>`
    select ${columns(sql)} from restaurant where guid = ${guid}`;
  return row ?? null;
}

/**
 * All changes of a restaurant's orders wait for each other here, as those of its stock do: the
 * numbers of orders have no gaps, and no two orders take the same portion.
 */
export async function findOrderingRestaurantForUpdate(
  sql: Sql,
  guid: string,
): Promise<OrderingRestaurant> {
  const [row] = await sql<[OrderingRestaurant]>`
    select ${columns(sql)} from restaurant where guid = ${guid} for no key update`;
  return row;
}

export interface PublishedRow {
  readonly collection: CollectionName;
  readonly guid: string;
  readonly externalId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

export async function listPublished(
  sql: Sql,
  restaurantGuid: string,
  collections: readonly string[],
): Promise<PublishedRow[]> {
  return await sql<PublishedRow[]>`
    select collection, guid, external_id as "externalId", fields
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = any(${collections}::text[])
      and not archived`;
}

export async function listExternalIds(
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
): Promise<{ guid: string; externalId: string }[]> {
  return await sql<{ guid: string; externalId: string }[]>`
    select object.guid, object.external_id as "externalId"
    from unnest((select ${guids}::uuid[])) as asked (guid)
    cross join unnest(array['menuItems', 'menuGroups', 'menuOptionGroups', 'preModifiers'])
      as of (collection)
    cross join lateral (
      select guid, external_id from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and collection = of.collection and guid = asked.guid
      limit 1
    ) as object
    where object.external_id is not null`;
}
