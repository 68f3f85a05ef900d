import type { Sql } from '../../../packages/server/src/database/database.ts';

/** Whether a transaction of a server is open that began before an instant of the database. */
export async function findIsBusy(sql: Sql, before: Date): Promise<boolean> {
  const rows = await sql`
    select from pg_stat_activity
    where application_name = 'servery' and xact_start <= ${before} limit 1`;
  return rows.length > 0;
}

/** Ends the connections of every server, as an administrator or a failover would. */
export async function deleteServerSessions(sql: Sql): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'servery'`;
}

/** The notes of a restaurant's publications, which name them, in their order. */
export async function listPublicationNotes(sql: Sql, restaurantGuid: string): Promise<string[]> {
  const rows = await sql<{ note: string | null }[]>`
    select note from publication where restaurant_guid = ${restaurantGuid}
    order by number`;
  return rows.flatMap(({ note }) => note ?? []);
}

/** The quantities that an item was given, in their order. */
export async function listQuantities(
  sql: Sql,
  restaurantGuid: string,
  itemGuid: string,
): Promise<number[]> {
  const rows = await sql<{ quantity: number }[]>`
    select quantity_after::float8 as quantity from stock_change
    where restaurant_guid = ${restaurantGuid} and item_guid = ${itemGuid}
      and quantity_after is not null
    order by version`;
  return rows.map(({ quantity }) => quantity);
}

/** Whether an item is out of stock. */
export async function findIsOut(sql: Sql, restaurantGuid: string, itemGuid: string) {
  const rows = await sql`
    select from stock where restaurant_guid = ${restaurantGuid} and item_guid = ${itemGuid}
      and status = 'OUT_OF_STOCK'`;
  return rows.length > 0;
}

/** A restaurant as it is stored. */
export async function findRestaurantRow(sql: Sql, guid: string) {
  const [row] = await sql<{ name: string; groupGuid: string; archived: boolean }[]>`
    select name, management_group_guid as "groupGuid", archived from restaurant
    where guid = ${guid}`;
  return row ?? null;
}

/** A connection as it is stored. */
export async function findConnectionRow(sql: Sql, restaurantGuid: string, partnerGuid: string) {
  const [row] = await sql<{ reference: string | null; isOn: boolean }[]>`
    select external_restaurant_ref as reference, removed_at is null as "isOn" from connection
    where restaurant_guid = ${restaurantGuid} and partner_guid = ${partnerGuid}`;
  return row ?? null;
}

/** Every change of a connection that a partner sees, in their order. */
export async function listConnectionChanges(sql: Sql, restaurantGuid: string, partnerGuid: string) {
  return await sql<{ kind: string; reference: string | null }[]>`
    select kind, external_restaurant_ref as reference from connection_change
    where restaurant_guid = ${restaurantGuid} and partner_guid = ${partnerGuid}
      and kind <> 'RESTAURANT_EDITED'
    order by number`;
}

/** An account as it is stored. */
export async function findClientRow(sql: Sql, clientId: string) {
  const [row] = await sql<{ scopes: string[]; isRevoked: boolean }[]>`
    select scopes, revoked_at is not null as "isRevoked" from api_client
    where client_id = ${clientId}`;
  return row ?? null;
}

/** Whether a token of an account was revoked. */
export async function findIsTokenRevoked(sql: Sql, clientId: string, jti: string) {
  const rows = await sql`
    select from revoked_token where client_id = ${clientId} and jti = ${jti}`;
  return rows.length > 0;
}
