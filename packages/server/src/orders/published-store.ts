import type { CollectionName, PrepTimes } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import { heldRestaurant } from '../reach/hold-store.ts';

/** What orders need to know of a restaurant, as it is now. */
export interface OrderingRestaurant {
  readonly guid: string;
  readonly timeZone: string;
  readonly closeoutHour: number;
  readonly currencyCode: string;
  readonly publishNumber: number;
  readonly prepTimes: Partial<PrepTimes>;
  readonly orderApproval: 'auto' | 'manual';
}

const columns = (sql: Sql) => sql`
  guid, time_zone as "timeZone", closeout_hour as "closeoutHour", currency_code as "currencyCode",
  publish_number as "publishNumber", prep_times as "prepTimes",
  order_approval as "orderApproval"`;

export interface PublishedRestaurant extends OrderingRestaurant {
  /** Of its menus; null if no menu is published. */
  readonly menusDigest: string | null;
}

export async function findOrderingRestaurant(
  sql: Sql,
  guid: string,
): Promise<PublishedRestaurant | null> {
  const [row] = await sql<PublishedRestaurant[]>`
    select ${columns(sql)}, (
      select digest from published_menus where restaurant_guid = ${guid}
    ) as "menusDigest"
    from restaurant where guid = ${guid}`;
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
  const [row] = await sql<[OrderingRestaurant]>`${heldRestaurant(sql, columns(sql), guid)}`;
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

/** Of what can be ordered from the menus. */
export async function listMenuExternalIds(
  sql: Sql,
  restaurantGuid: string,
): Promise<{ guid: string; externalId: string }[]> {
  return await sql<{ guid: string; externalId: string }[]>`
    select guid, external_id as "externalId" from configuration_object
    where restaurant_guid = ${restaurantGuid}
      and collection in ('menuItems', 'menuGroups', 'menuOptionGroups', 'preModifiers')
      and external_id is not null`;
}
