import type { Sql } from '../database/database.ts';
import type { Reach } from '../reach/reach.ts';
import { isAtReachedRestaurant } from '../reach/reach-store.ts';

export interface ConnectionKey {
  readonly restaurantGuid: string;
  readonly partnerGuid: string;
}

export interface ConnectionDetails {
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
}

export interface Employee {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

export interface ConnectionView extends ConnectionKey, ConnectionDetails, Employee {
  readonly managementGroupGuid: string;
  readonly restaurantName: string;
  readonly restaurantArchived: boolean;
  readonly partnerName: string;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly removedAt: Date | null;
  readonly removedReason: string | null;
}

export interface NamedPlace {
  readonly name: string;
  readonly guid: string;
}

/** Null when either is unknown. Locks the restaurant before any lock on a partner's events. */
export async function findConnectable(
  sql: Sql,
  key: ConnectionKey,
): Promise<{ readonly restaurantArchived: boolean } | null> {
  const rows = await sql<{ restaurantArchived: boolean }[]>`
    select restaurant.archived as "restaurantArchived"
    from restaurant
    cross join partner
    where restaurant.guid = ${key.restaurantGuid} and partner.guid = ${key.partnerGuid}
    for share of restaurant`;
  return rows[0] ?? null;
}

/** Also finds ended connections. */
export async function findConnection(
  sql: Sql,
  key: ConnectionKey,
  lock = sql``,
): Promise<ConnectionView | null> {
  const [row] = await sql<ConnectionView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.restaurant_guid = ${key.restaurantGuid} and c.partner_guid = ${key.partnerGuid} ${lock}`;
  return row ?? null;
}

/** Also finds ended connections. */
export function findConnectionLocked(sql: Sql, key: ConnectionKey): Promise<ConnectionView | null> {
  return findConnection(sql, key, sql`for no key update of c`);
}

/** Revives a removed connection. False when there is a live one. */
export async function insertConnection(
  sql: Sql,
  key: ConnectionKey,
  connection: ConnectionDetails & { readonly employee: Employee },
  at: Date,
): Promise<boolean> {
  const { externalGroupRef, externalRestaurantRef, employee } = connection;
  const rows = await sql.touching([`restaurant:${key.restaurantGuid}`])`
    insert into connection (restaurant_guid, partner_guid, external_group_ref,
      external_restaurant_ref, created_by_first_name, created_by_last_name, created_by_email,
      created_by_phone, created_at, modified_at)
    values (${key.restaurantGuid}, ${key.partnerGuid}, ${externalGroupRef},
      ${externalRestaurantRef}, ${employee.firstName}, ${employee.lastName}, ${employee.email},
      ${employee.phone}, ${at}, ${at})
    on conflict (restaurant_guid, partner_guid) do update
    set external_group_ref = excluded.external_group_ref,
      external_restaurant_ref = excluded.external_restaurant_ref,
      created_by_first_name = excluded.created_by_first_name,
      created_by_last_name = excluded.created_by_last_name,
      created_by_email = excluded.created_by_email,
      created_by_phone = excluded.created_by_phone,
      created_at = excluded.created_at,
      modified_at = excluded.modified_at,
      removed_at = null,
      removed_reason = null
    where connection.removed_at is not null
    returning restaurant_guid`;
  return rows.length === 1;
}

/** A reason ends it, and keeps the row with the person who ended it. */
export async function updateConnection(
  sql: Sql,
  key: ConnectionKey,
  connection: ConnectionDetails & { readonly employee: Employee; readonly reason?: string },
  at: Date,
): Promise<void> {
  const { externalGroupRef, externalRestaurantRef, employee, reason = null } = connection;
  await sql.touching([`restaurant:${key.restaurantGuid}`])`
    update connection
    set external_group_ref = ${externalGroupRef},
      external_restaurant_ref = ${externalRestaurantRef},
      created_by_first_name = ${employee.firstName},
      created_by_last_name = ${employee.lastName},
      created_by_email = ${employee.email},
      created_by_phone = ${employee.phone},
      modified_at = ${at},
      removed_at = ${reason === null ? null : at},
      removed_reason = ${reason}
    where restaurant_guid = ${key.restaurantGuid}
      and partner_guid = ${key.partnerGuid}
      and removed_at is null`;
}

export interface RestaurantConnections {
  readonly restaurantGuid: string;
  readonly state?: 'CONNECTED' | 'DISCONNECTED';
}

export async function listRestaurantConnections(
  sql: Sql,
  { restaurantGuid, state }: RestaurantConnections,
  after: NamedPlace | null,
  limit: number,
): Promise<ConnectionView[]> {
  const isInState =
    state === undefined ? sql`` : sql`and (c.removed_at is null) = ${state === 'CONNECTED'}`;
  const place = after
    ? sql`and (lower(partner.name), partner.guid) > (lower(${after.name}), ${after.guid}::uuid)`
    : sql``;
  return await sql<ConnectionView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.restaurant_guid = ${restaurantGuid} ${isInState} ${place}
    order by lower(partner.name), partner.guid
    limit ${limit}`;
}

export interface PartnerConnectionPlace {
  readonly createdAt: string;
  readonly restaurantGuid: string;
}

/**
 * Within reach; a reader who reaches the partner sees all. By the names of restaurants, each page
 * would sort all of them.
 */
export async function listPartnerConnections(
  sql: Sql,
  { partnerGuid, reach }: { readonly partnerGuid: string; readonly reach: Reach },
  after: PartnerConnectionPlace | null,
  limit: number,
): Promise<ConnectionView[]> {
  const isReached = reach.partnerGuids.includes(partnerGuid)
    ? sql`true`
    : isAtReachedRestaurant(sql, sql`c.restaurant_guid`, reach);
  const place = after
    ? sql`and (c.created_at, c.restaurant_guid) >
        (${after.createdAt}::timestamptz, ${after.restaurantGuid}::uuid)`
    : sql``;
  return await sql<ConnectionView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.partner_guid = ${partnerGuid} and ${isReached} ${place}
    order by c.created_at, c.restaurant_guid
    limit ${limit}`;
}

export async function listLiveConnectionsLocked(
  sql: Sql,
  restaurantGuid: string,
): Promise<ConnectionView[]> {
  return await sql<ConnectionView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.restaurant_guid = ${restaurantGuid} and c.removed_at is null
    order by c.partner_guid
    for no key update of c`;
}

export async function listGroupConnectionsLocked(
  sql: Sql,
  groupGuid: string,
): Promise<ConnectionView[]> {
  return await sql<ConnectionView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where restaurant.management_group_guid = ${groupGuid}
    order by c.partner_guid, c.restaurant_guid
    for no key update of c`;
}

function viewColumns(sql: Sql) {
  return sql`
    c.restaurant_guid as "restaurantGuid", c.partner_guid as "partnerGuid",
    c.external_group_ref as "externalGroupRef",
    c.external_restaurant_ref as "externalRestaurantRef",
    c.created_by_first_name as "firstName", c.created_by_last_name as "lastName",
    c.created_by_email as "email", c.created_by_phone as "phone", c.created_at as "createdAt",
    c.modified_at as "modifiedAt", c.removed_at as "removedAt",
    c.removed_reason as "removedReason", restaurant.name as "restaurantName",
    restaurant.archived as "restaurantArchived",
    restaurant.management_group_guid as "managementGroupGuid", partner.name as "partnerName"`;
}

function viewTables(sql: Sql) {
  return sql`
    connection c
    join restaurant on restaurant.guid = c.restaurant_guid
    join partner on partner.guid = c.partner_guid`;
}
