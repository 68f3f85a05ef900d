import type { Sql } from '../database/database.ts';

export interface DemoRestaurant {
  readonly guid: string;
  readonly name: string;
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly archived: boolean;
}

export async function findHasGroups(sql: Sql): Promise<boolean> {
  const rows = await sql`select from management_group limit 1`;
  return rows.length > 0;
}

export async function listRestaurants(sql: Sql, groupGuid: string): Promise<DemoRestaurant[]> {
  return sql<DemoRestaurant[]>`
    select guid, name, time_zone as "timeZone", currency_code as "currencyCode", archived
    from restaurant where management_group_guid = ${groupGuid}
    order by archived, created_at, guid`;
}

/** One that the oldest account of a partner reaches; null if there is none. */
export async function findExampleRestaurant(sql: Sql): Promise<string | null> {
  const [account] = await sql<{ partnerGuid: string }[]>`
    select partner_guid as "partnerGuid" from api_client
    where partner_guid is not null and revoked_at is null
    order by created_at, client_id limit 1`;
  if (!account) return null;
  const [found] = await sql<{ guid: string }[]>`
    select restaurant.guid from connection
    join restaurant on restaurant.guid = connection.restaurant_guid
    where connection.partner_guid = ${account.partnerGuid}
      and connection.removed_at is null and not restaurant.archived
    order by connection.created_at, connection.restaurant_guid limit 1`;
  return found?.guid ?? null;
}

export interface PartnerReach {
  readonly guid: string;
  readonly connections: number;
}

export async function listPartnerReach(sql: Sql, groupGuid: string): Promise<PartnerReach[]> {
  return sql<PartnerReach[]>`
    select partner.guid, count(restaurant.guid)::int as connections
    from partner
    left join connection
      on connection.partner_guid = partner.guid and connection.removed_at is null
    left join restaurant
      on restaurant.guid = connection.restaurant_guid
      and restaurant.management_group_guid = ${groupGuid}
    group by partner.guid
    order by connections desc, partner.guid`;
}

/** Null if there is no such account. */
export async function findPartnerOfClient(sql: Sql, clientId: string): Promise<string | null> {
  const [row] = await sql<{ partnerGuid: string | null }[]>`
    select partner_guid as "partnerGuid" from api_client where client_id = ${clientId}`;
  return row?.partnerGuid ?? null;
}

export async function findSecretDigests(
  sql: Sql,
  clientId: string,
  now: Date,
): Promise<Buffer[] | null> {
  const rows = await sql<{ digest: Buffer | null }[]>`
    select client_secret.digest
    from api_client
    left join client_secret
      on client_secret.client_id = api_client.client_id and client_secret.revoked_at is null
      and (client_secret.expires_at is null or client_secret.expires_at > ${now})
    where api_client.client_id = ${clientId} and api_client.revoked_at is null`;
  if (rows.length === 0) return null;
  return rows.flatMap(({ digest }) => (digest ? [digest] : []));
}
