import type { Sql } from '../database/database.ts';
import type { Touched } from '../database/sql.ts';
import type { Employee } from './connection-store.ts';

export interface StoredPartner {
  readonly guid: string;
  readonly name: string;
}

export interface StoredConnection {
  readonly partnerGuid: string;
  readonly restaurantGuid: string;
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
  readonly createdBy: Employee;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export async function updateGroupPartners(
  sql: Sql,
  groupGuid: string,
  partners: readonly StoredPartner[],
  now: Date,
): Promise<void> {
  const guids = partners.map(({ guid }) => guid);
  await sql`
    insert into partner (guid, name, created_at)
    select given.guid, given.name, ${now}
    from unnest(${guids}::uuid[], ${partners.map(({ name }) => name)}::text[]) as given (guid, name)
    on conflict (guid) do update set name = excluded.name where partner.name <> excluded.name`;
  await sql`
    delete from management_group_partner
    where management_group_guid = ${groupGuid} and partner_guid <> all (${guids}::uuid[])`;
  await sql`
    insert into management_group_partner (management_group_guid, partner_guid)
    select ${groupGuid}::uuid, given.guid from unnest(${guids}::uuid[]) as given (guid)
    on conflict do nothing`;
}

/** Includes partners connected to its restaurants, because an export's connections name them. */
export async function listGroupPartners(sql: Sql, groupGuid: string): Promise<StoredPartner[]> {
  return sql<StoredPartner[]>`
    select guid, name from partner
    where guid in (
      select partner_guid from management_group_partner where management_group_guid = ${groupGuid}
      union
      select connection.partner_guid
      from connection join restaurant on restaurant.guid = connection.restaurant_guid
      where restaurant.management_group_guid = ${groupGuid} and connection.removed_at is null
    )
    order by guid`;
}

export async function listListedPartnerGuids(sql: Sql, groupGuid: string): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    select partner_guid as guid from management_group_partner
    where management_group_guid = ${groupGuid}`;
  return rows.map(({ guid }) => guid);
}

/** Null keeps the stored time or becomes `now`. A later creation moves to a given change time. */
export interface WantedConnection extends Omit<StoredConnection, 'createdAt' | 'modifiedAt'> {
  readonly createdAt: Date | null;
  readonly modifiedAt: Date | null;
}

export async function upsertConnection(
  sql: Sql,
  wanted: WantedConnection,
  now: Date,
): Promise<void> {
  const { createdBy, createdAt, modifiedAt } = wanted;
  await sql.touching([`restaurant:${wanted.restaurantGuid}`])`
    insert into connection as stored (restaurant_guid, partner_guid, external_group_ref,
      external_restaurant_ref, created_by_first_name, created_by_last_name, created_by_email,
      created_by_phone, created_at, modified_at)
    values (${wanted.restaurantGuid}, ${wanted.partnerGuid}, ${wanted.externalGroupRef},
      ${wanted.externalRestaurantRef}, ${createdBy.firstName}, ${createdBy.lastName},
      ${createdBy.email}, ${createdBy.phone}, ${createdAt ?? modifiedAt ?? now},
      ${modifiedAt ?? now})
    on conflict (restaurant_guid, partner_guid) do update
    set external_group_ref = excluded.external_group_ref,
      external_restaurant_ref = excluded.external_restaurant_ref,
      created_by_first_name = excluded.created_by_first_name,
      created_by_last_name = excluded.created_by_last_name,
      created_by_email = excluded.created_by_email,
      created_by_phone = excluded.created_by_phone,
      created_at = case when stored.removed_at is null
        then coalesce(${createdAt}, least(stored.created_at, ${modifiedAt}))
        else excluded.created_at end,
      modified_at = excluded.modified_at,
      removed_at = null,
      removed_reason = null
    where stored.removed_at is not null
      or (stored.external_group_ref, stored.external_restaurant_ref, stored.created_by_first_name,
        stored.created_by_last_name, stored.created_by_email, stored.created_by_phone)
      is distinct from (excluded.external_group_ref, excluded.external_restaurant_ref,
        excluded.created_by_first_name, excluded.created_by_last_name, excluded.created_by_email,
        excluded.created_by_phone)
      or stored.created_at <> coalesce(${createdAt}, stored.created_at)
      or stored.modified_at <> coalesce(${modifiedAt}, stored.modified_at)`;
}

const restaurantsOf: Touched = (rows) => rows.map(({ guid }) => `restaurant:${guid}` as const);

export async function updateUnnamedConnectionsRemoved(
  sql: Sql,
  groupGuid: string,
  named: readonly Pick<StoredConnection, 'restaurantGuid' | 'partnerGuid'>[],
  now: Date,
): Promise<number> {
  const { count } = await sql.touching(restaurantsOf)`
    update connection as stored
    set removed_at = ${now}, modified_at = ${now},
      removed_reason = 'The group document does not name it.'
    from restaurant
    where restaurant.guid = stored.restaurant_guid
      and restaurant.management_group_guid = ${groupGuid}
      and stored.removed_at is null
      and not exists (
        select from unnest(${named.map(({ restaurantGuid }) => restaurantGuid)}::uuid[],
          ${named.map(({ partnerGuid }) => partnerGuid)}::uuid[])
          as given (restaurant_guid, partner_guid)
        where given.restaurant_guid = stored.restaurant_guid
          and given.partner_guid = stored.partner_guid
      )
    returning stored.restaurant_guid as guid`;
  return count;
}

/** Moves times equal to `from`, but not before the connection's creation. */
export async function updateConnectionTimes(
  sql: Sql,
  groupGuid: string,
  from: Date,
  to: Date,
): Promise<number> {
  const { count } = await sql`
    update connection as stored
    set created_at = case when stored.created_at = ${from} then ${to} else stored.created_at end,
      modified_at = case when stored.modified_at = ${from} then greatest(${to}, stored.created_at)
        else stored.modified_at end,
      removed_at = case when removed_at = ${from} then ${to} else removed_at end
    from restaurant
    where restaurant.management_group_guid = ${groupGuid}
      and stored.restaurant_guid = restaurant.guid
      and ${from} in (stored.created_at, stored.modified_at)`;
  return count;
}

export async function listGroupConnections(
  sql: Sql,
  groupGuid: string,
): Promise<StoredConnection[]> {
  return await sql<StoredConnection[]>`
    select connection.partner_guid as "partnerGuid", connection.restaurant_guid as "restaurantGuid",
      external_group_ref as "externalGroupRef", external_restaurant_ref as "externalRestaurantRef",
      json_build_object('firstName', created_by_first_name, 'lastName', created_by_last_name,
        'email', created_by_email, 'phone', created_by_phone) as "createdBy",
      connection.created_at as "createdAt", connection.modified_at as "modifiedAt"
    from connection join restaurant on restaurant.guid = connection.restaurant_guid
    where restaurant.management_group_guid = ${groupGuid} and connection.removed_at is null
    order by connection.restaurant_guid, connection.partner_guid`;
}

/** Callers that ask for changes must see the new listed fields. */
export async function updateConnectionsModified(
  sql: Sql,
  restaurantGuid: string,
  now: Date,
): Promise<void> {
  await sql`
    update connection set modified_at = greatest(modified_at, ${now})
    where restaurant_guid = ${restaurantGuid} and removed_at is null`;
}

/** `updateConnectionTimes` moves this time later. */
export async function updateConnectionDated(
  sql: Sql,
  { restaurantGuid, partnerGuid }: Pick<StoredConnection, 'restaurantGuid' | 'partnerGuid'>,
  at: Date,
): Promise<void> {
  await sql`
    update connection set modified_at = ${at}
    where restaurant_guid = ${restaurantGuid} and partner_guid = ${partnerGuid}
      and removed_at is null`;
}
