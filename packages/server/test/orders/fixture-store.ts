import type { Scope } from '@servery/contract';
import type { Sql } from '../../src/database/database.ts';

export async function findPartnerOf(sql: Sql, clientId: string): Promise<string | null> {
  const [row] = await sql<{ guid: string | null }[]>`
    select partner_guid as guid from api_client where client_id = ${clientId}`;
  return row?.guid ?? null;
}

/** A quantity of null is out of stock. */
export async function updateStockLevel(
  sql: Sql,
  restaurantGuid: string,
  itemGuid: string,
  quantity: number | null,
): Promise<void> {
  const status = quantity === null ? 'OUT_OF_STOCK' : 'QUANTITY';
  await sql`
    insert into stock (restaurant_guid, item_guid, status, quantity, modified_at)
    values (${restaurantGuid}, ${itemGuid}, ${status}, ${quantity}, ${new Date(0)})
    on conflict (restaurant_guid, item_guid) do update
    set status = excluded.status, quantity = excluded.quantity`;
}

/** The account gets these scopes; its events are in `listBodies`. */
export async function updateScopes(
  sql: Sql,
  clientId: string,
  scopes: readonly Scope[],
): Promise<void> {
  await sql`update api_client set scopes = ${scopes} where client_id = ${clientId}`;
}

/** What the endpoints of an account are sent, in order. */
export async function listBodies(sql: Sql, clientId: string): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`
    select event.body
    from webhook_endpoint endpoint
    join webhook_delivery delivery on delivery.partner_guid = endpoint.partner_guid
      and delivery.endpoint_guid = endpoint.guid
    join partner_event event on event.partner_guid = delivery.partner_guid
      and event.position = delivery.place
    where endpoint.client_id = ${clientId}
    order by event.position`;
  return rows.map(({ body }) => body);
}

export async function archiveObject(
  sql: Sql,
  restaurantGuid: string,
  collection: string,
  guid: string,
): Promise<void> {
  await sql`
    update configuration_object set archived = true
    where restaurant_guid = ${restaurantGuid} and collection = ${collection} and guid = ${guid}`;
}

export async function deactivateObject(
  sql: Sql,
  restaurantGuid: string,
  collection: string,
  guid: string,
): Promise<void> {
  await sql`
    update configuration_object set fields = (fields::jsonb || '{"active": false}')::json
    where restaurant_guid = ${restaurantGuid} and collection = ${collection} and guid = ${guid}`;
}

/** Copies an order of the restaurant as one that is over, paid and approved. */
export async function insertClosedCopies(
  sql: Sql,
  restaurantGuid: string,
  count: number,
): Promise<void> {
  await sql`
    insert into restaurant_order
    select copy.* from restaurant_order as pattern
    cross join generate_series(1, ${count}) as nth
    cross join lateral jsonb_populate_record(pattern, jsonb_build_object(
      'guid', md5(nth::text)::uuid, 'guest_status', 'CLOSED', 'approval_status', 'APPROVED',
      'payment_statuses', array['CLOSED'], 'due_at', null)) as copy
    where pattern.guid = (
      select guid from restaurant_order where restaurant_guid = ${restaurantGuid} limit 1)`;
  await sql`analyze restaurant_order`;
}
