import type { ClientType, Scope } from '@servery/contract';
import type { Sql } from '../database/database.ts';

export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  readonly partnerGuid: string | null;
  /** Set for CUSTOMER accounts, and for BACK_OFFICE accounts of one group. */
  readonly managementGroupGuid: string | null;
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey: boolean;
  readonly revoked: boolean;
}

export interface NewClient extends Omit<ApiClient, 'revoked'> {
  readonly description: string | null;
  readonly createdAt: Date;
  readonly createdBy: string | null;
}

export interface ListedClient extends ApiClient {
  readonly partnerName: string | null;
  readonly managementGroupName: string | null;
}

/** Arrays travel as JSON, so that no driver or pooler has to know their type. */
const clientColumns = (sql: Sql) => sql`
  c.client_id as "clientId", c.name, c.type, c.partner_guid as "partnerGuid",
  c.management_group_guid as "managementGroupGuid", to_json(c.scopes) as scopes,
  c.holds_legacy_card_key as "holdsLegacyCardKey", c.revoked_at is not null as revoked`;

/** An ApiClient in one column. */
export const clientAsJson = (sql: Sql) =>
  sql`(select to_json(one) from (select ${clientColumns(sql)}) one)`;

/** Returns false and writes nothing when the client id is taken. */
export async function insertClient(sql: Sql, client: NewClient): Promise<boolean> {
  const written = await sql.touching([`client:${client.clientId}`])`
    insert into api_client (client_id, name, description, type, partner_guid,
      management_group_guid, scopes, holds_legacy_card_key, created_at, created_by)
    values (${client.clientId}, ${client.name}, ${client.description}, ${client.type},
      ${client.partnerGuid}, ${client.managementGroupGuid},
      string_to_array(${client.scopes.join(' ')}, ' '), ${client.holdsLegacyCardKey},
      ${client.createdAt}, ${client.createdBy})
    on conflict (client_id) do nothing`;
  return written.count === 1;
}

export async function listClients(sql: Sql): Promise<ListedClient[]> {
  return await sql<ListedClient[]>`
    select ${clientColumns(sql)}, partner.name as "partnerName",
      management_group.name as "managementGroupName"
    from api_client c
    left join partner on partner.guid = c.partner_guid
    left join management_group on management_group.guid = c.management_group_guid
    order by c.type, c.name, c.client_id`;
}

export async function findClient(sql: Sql, clientId: string): Promise<ApiClient | null> {
  const [row] = await sql<ApiClient[]>`
    select ${clientColumns(sql)} from api_client c where c.client_id = ${clientId}`;
  return row ?? null;
}

export interface NewSecretRow {
  readonly clientId: string;
  readonly guid: string;
  readonly digest: Buffer;
  readonly label: string | null;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
}

/** False when no such account is live. */
export async function insertSecret(sql: Sql, secret: NewSecretRow): Promise<boolean> {
  const written = await sql.touching([`client:${secret.clientId}`])`
    insert into client_secret (client_id, guid, digest, label, created_at, created_by, expires_at)
    select client_id, ${secret.guid}::uuid, ${secret.digest}::bytea, ${secret.label}::text,
      ${secret.createdAt}::timestamptz, ${secret.createdBy}::text,
      ${secret.expiresAt}::timestamptz
    from api_client where client_id = ${secret.clientId} and revoked_at is null`;
  return written.count === 1;
}

/** Its tokens end with it (AUTH-10). False when the account has no such live secret. */
export async function updateSecretRevoked(
  sql: Sql,
  clientId: string,
  guid: string,
  nowMs: number,
  by: string | null,
): Promise<boolean> {
  const written = await sql.touching([`client:${clientId}`])`
    update client_secret set revoked_at = ${new Date(nowMs)}, revoked_by = ${by}
    where client_id = ${clientId} and guid = ${guid} and revoked_at is null`;
  return written.count === 1;
}

/** False when it is unknown or already revoked. */
export async function updateClientRevoked(
  sql: Sql,
  clientId: string,
  nowMs: number,
  by: string | null,
): Promise<boolean> {
  const written = await sql.touching([`client:${clientId}`])`
    update api_client set revoked_at = ${new Date(nowMs)}, revoked_by = ${by}
    where client_id = ${clientId} and revoked_at is null`;
  return written.count === 1;
}

/**
 * Keeps the grant time of scopes that stay. `grantedAt` is null when unknown. False when the
 * account is unknown or revoked.
 */
export async function updateClientScopes(
  sql: Sql,
  clientId: string,
  scopes: readonly Scope[],
  grantedAt: Date | null,
): Promise<boolean> {
  const given = scopes.join(' ');
  const [row] = await sql.touching([`client:${clientId}`])<{ changed: number }[]>`
    with known as (
      select client_id, scopes from api_client
      where client_id = ${clientId} and revoked_at is null
      for no key update
    ), changed as (
      update api_client set scopes = string_to_array(${given}, ' ')
      from known
      where api_client.client_id = known.client_id
      returning api_client.client_id
    ), granted as (
      insert into client_scope_use as stored (client_id, scope, granted_at)
      select known.client_id, given.scope, ${grantedAt}::timestamptz
      from known cross join unnest(string_to_array(${given}, ' ')) as given (scope)
      where given.scope <> all (known.scopes) and ${grantedAt}::timestamptz is not null
      on conflict (client_id, scope) do update set granted_at = excluded.granted_at
    )
    select count(*)::int as changed from changed`;
  return row?.changed === 1;
}

export interface TokenClient {
  readonly client: ApiClient;
  readonly tokenRevoked: boolean;
  /** Not true for an expired secret. */
  readonly secretRevoked: boolean;
}

/** One statement on three primary keys; null for an unknown account. */
export async function findClientOfToken(
  sql: Sql,
  clientId: string,
  { jti, secretGuid }: { readonly jti: string; readonly secretGuid: string },
): Promise<TokenClient | null> {
  const [row] = await sql<TokenClient[]>`
    select ${clientAsJson(sql)} as client, exists (
      select from revoked_token r where r.client_id = c.client_id and r.jti = ${jti}
    ) as "tokenRevoked", not exists (
      select from client_secret s
      where s.client_id = c.client_id and s.guid = ${secretGuid} and s.revoked_at is null
    ) as "secretRevoked"
    from api_client c where c.client_id = ${clientId}`;
  return row ?? null;
}

export interface GroupClient extends ApiClient {
  readonly type: 'PARTNER' | 'CUSTOMER';
}

/**
 * The group's CUSTOMER accounts and the PARTNER accounts of these partners. Back office accounts
 * belong to the operator, not to the document.
 */
export async function listGroupClients(
  sql: Sql,
  groupGuid: string,
  partnerGuids: readonly string[],
): Promise<GroupClient[]> {
  return await sql<GroupClient[]>`
    select ${clientColumns(sql)}
    from api_client c
    where c.revoked_at is null and c.type <> 'BACK_OFFICE' and (
      c.management_group_guid = ${groupGuid}
      or c.partner_guid = any(${partnerGuids}::uuid[])
    )
    order by c.client_id`;
}

export async function findSharedPartner(
  sql: Sql,
  groupGuid: string,
  partnerGuid: string,
): Promise<boolean> {
  const rows = await sql`
    select from management_group_partner
    where partner_guid = ${partnerGuid} and management_group_guid <> ${groupGuid}
    union all
    select from connection join restaurant on restaurant.guid = connection.restaurant_guid
    where connection.partner_guid = ${partnerGuid} and connection.removed_at is null
      and restaurant.management_group_guid <> ${groupGuid}
    limit 1`;
  return rows.length > 0;
}
