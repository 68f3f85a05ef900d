import type { Sql } from '../db/database.ts';

/** Which connection: one restaurant's consent to one partner's integration. */
export interface ConnectionKey {
  readonly restaurantGuid: string;
  readonly partnerGuid: string;
}

/** What the administrator of the restaurant says of a connection. */
export interface ConnectionDetails {
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
}

/** The employee who makes, edits or ends a connection. */
export interface Employee {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Whether the restaurant is archived and the partner there; null when one is unknown. */
export async function findConnectable(
  sql: Sql,
  key: ConnectionKey,
): Promise<{ readonly restaurantArchived: boolean } | null> {
  const rows = await sql<{ restaurantArchived: boolean }[]>`
    select restaurant.archived as "restaurantArchived"
    from restaurant
    cross join partner
    where restaurant.guid = ${key.restaurantGuid} and partner.guid = ${key.partnerGuid}`;
  return rows[0] ?? null;
}

/** Makes a connection, or makes a removed one anew. Gives false when there is a live one. */
export async function insertConnection(
  sql: Sql,
  key: ConnectionKey,
  connection: ConnectionDetails & { readonly employee: Employee },
  nowMs: number,
): Promise<boolean> {
  const { externalGroupRef, externalRestaurantRef, employee } = connection;
  const now = new Date(nowMs);
  const rows = await sql`
    insert into connection (restaurant_guid, partner_guid, external_group_ref,
      external_restaurant_ref, created_by_first_name, created_by_last_name, created_by_email,
      created_by_phone, created_at, modified_at)
    values (${key.restaurantGuid}, ${key.partnerGuid}, ${externalGroupRef},
      ${externalRestaurantRef}, ${employee.firstName}, ${employee.lastName}, ${employee.email},
      ${employee.phone}, ${now}, ${now})
    on conflict (restaurant_guid, partner_guid) do update
    set external_group_ref = excluded.external_group_ref,
      external_restaurant_ref = excluded.external_restaurant_ref,
      created_by_first_name = excluded.created_by_first_name,
      created_by_last_name = excluded.created_by_last_name,
      created_by_email = excluded.created_by_email,
      created_by_phone = excluded.created_by_phone,
      created_at = excluded.created_at,
      modified_at = excluded.modified_at,
      removed_at = null
    where connection.removed_at is not null
    returning restaurant_guid`;
  return rows.length === 1;
}

/** Edits a live connection. Gives false when there is none. */
export async function updateConnection(
  sql: Sql,
  key: ConnectionKey,
  connection: ConnectionDetails & { readonly employee: Employee },
  nowMs: number,
): Promise<boolean> {
  const { externalGroupRef, externalRestaurantRef, employee } = connection;
  const rows = await sql`
    update connection
    set external_group_ref = ${externalGroupRef},
      external_restaurant_ref = ${externalRestaurantRef},
      created_by_first_name = ${employee.firstName},
      created_by_last_name = ${employee.lastName},
      created_by_email = ${employee.email},
      created_by_phone = ${employee.phone},
      modified_at = ${new Date(nowMs)}
    where restaurant_guid = ${key.restaurantGuid}
      and partner_guid = ${key.partnerGuid}
      and removed_at is null
    returning restaurant_guid`;
  return rows.length === 1;
}

/** Ends a live connection and keeps the row with who ended it. Gives false when there is none. */
export async function deleteConnection(
  sql: Sql,
  key: ConnectionKey,
  employee: Employee,
  nowMs: number,
): Promise<boolean> {
  const now = new Date(nowMs);
  const rows = await sql`
    update connection
    set created_by_first_name = ${employee.firstName},
      created_by_last_name = ${employee.lastName},
      created_by_email = ${employee.email},
      created_by_phone = ${employee.phone},
      modified_at = ${now},
      removed_at = ${now}
    where restaurant_guid = ${key.restaurantGuid}
      and partner_guid = ${key.partnerGuid}
      and removed_at is null
    returning restaurant_guid`;
  return rows.length === 1;
}
