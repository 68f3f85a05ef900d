import type { ApiClient, ApiClientSecret, ClientType, RequestOf, Scope } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { PageQuery } from '../http/page.ts';
import type { Dated } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import { isReachedGroup, isReachedPartner } from '../reach/reach-store.ts';

export interface SecretView extends Dated<Omit<ApiClientSecret, 'state'>> {
  readonly clientId: string;
}

export interface ClientView
  extends Dated<Omit<ApiClient, 'partner' | 'managementGroup' | 'secrets' | 'scopes'>> {
  readonly partnerGuid: string | null;
  readonly partnerName: string | null;
  readonly managementGroupGuid: string | null;
  readonly managementGroupName: string | null;
  readonly scopes: readonly Scope[];
}

export type ClientFilter = Omit<RequestOf<'backOffice.clients.list'>['query'], keyof PageQuery> & {
  readonly reach: Reach;
};

export interface ClientPlace {
  readonly createdAt: string;
  readonly clientId: string;
}

export async function listClientViews(
  sql: Sql,
  filter: ClientFilter,
  after: ClientPlace | null,
  limit: number,
): Promise<ClientView[]> {
  const { type, partnerGuid, managementGroupGuid, revoked, name } = filter;
  const place = after
    ? sql`and (c.created_at, c.client_id) < (${after.createdAt}::timestamptz, ${after.clientId})`
    : sql``;
  return await sql<ClientView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where ${isReachedClient(sql, filter.reach)}
      ${type === undefined ? sql`` : sql`and c.type = ${type}`}
      ${partnerGuid === undefined ? sql`` : sql`and c.partner_guid = ${partnerGuid}`}
      ${
        managementGroupGuid === undefined
          ? sql``
          : sql`and c.management_group_guid = ${managementGroupGuid}`
      }
      ${revoked === undefined ? sql`` : sql`and (c.revoked_at is not null) = ${revoked}`}
      ${name === undefined ? sql`` : sql`and strpos(lower(c.name), lower(${name})) > 0`}
      ${place}
    order by c.created_at desc, c.client_id desc
    limit ${limit}`;
}

export async function findClientView(
  sql: Sql,
  clientId: string,
  reach: Reach,
  lock = sql``,
): Promise<ClientView | null> {
  const [row] = await sql<ClientView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.client_id = ${clientId} and ${isReachedClient(sql, reach)} ${lock}`;
  return row ?? null;
}

/** Locks the account; null when there is none within reach. */
export function findClientViewLocked(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ClientView | null> {
  return findClientView(sql, clientId, reach, sql`for no key update of c`);
}

/** Until the transaction ends, nobody can take these scopes away or revoke the accounts. */
export async function listHeldScopes(
  sql: Sql,
  type: ClientType,
  { partnerGuid, managementGroupGuid }: Pick<ClientView, 'partnerGuid' | 'managementGroupGuid'>,
): Promise<ReadonlySet<Scope>> {
  const rows = await sql<{ scopes: Scope[] }[]>`
    select to_json(c.scopes) as scopes from api_client c
    where c.type = ${type} and c.revoked_at is null and ${
      partnerGuid === null
        ? sql`c.management_group_guid = ${managementGroupGuid}`
        : sql`c.partner_guid = ${partnerGuid}`
    }
    order by c.client_id
    for share`;
  return new Set(rows.flatMap(({ scopes }) => scopes));
}

export async function listSecretViews(
  sql: Sql,
  clientIds: readonly string[],
): Promise<SecretView[]> {
  return await sql<SecretView[]>`
    select client_id as "clientId", guid, label, created_at as "createdAt",
      created_by as "createdBy", expires_at as "expiresAt", revoked_at as "revokedAt",
      revoked_by as "revokedBy", last_used_at as "lastUsedAt"
    from client_secret
    where client_id = any(string_to_array(${clientIds.join(' ')}, ' '))
    order by client_id, created_at desc, guid desc`;
}

/** Without a description, keeps the known one. */
export async function updateClientText(
  sql: Sql,
  clientId: string,
  {
    name,
    holdsLegacyCardKey,
    description,
  }: Pick<ClientView, 'name' | 'holdsLegacyCardKey'> & Partial<Pick<ClientView, 'description'>>,
): Promise<void> {
  await sql.touching([`client:${clientId}`, 'names:all'])`
    update api_client
    set name = ${name}, holds_legacy_card_key = ${holdsLegacyCardKey}
      ${description === undefined ? sql`` : sql`, description = ${description}`}
    where client_id = ${clientId}`;
}

export async function updateOtherSecretsExpiry(
  sql: Sql,
  secret: { readonly clientId: string; readonly guid: string },
  expiresAt: Date,
): Promise<void> {
  await sql.touching([`client:${secret.clientId}`])`
    update client_secret set expires_at = ${expiresAt}
    where client_id = ${secret.clientId} and guid <> ${secret.guid} and revoked_at is null
      and (expires_at is null or expires_at > ${expiresAt})`;
}

/** Platform accounts only if the whole platform is in reach. */
function isReachedClient(sql: Sql, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`(
    ${isReachedGroup(sql, sql`c.management_group_guid`, reach)}
    or ${isReachedPartner(sql, sql`c.partner_guid`, reach)})`;
}

function viewColumns(sql: Sql) {
  return sql`
    c.client_id as "clientId", c.name, c.description, c.type, c.partner_guid as "partnerGuid",
    partner.name as "partnerName", c.management_group_guid as "managementGroupGuid",
    management_group.name as "managementGroupName",
    to_json(c.scopes) as scopes,
    c.holds_legacy_card_key as "holdsLegacyCardKey", c.created_at as "createdAt",
    c.created_by as "createdBy", c.revoked_at as "revokedAt", c.revoked_by as "revokedBy",
    c.last_used_at as "lastUsedAt"`;
}

function viewTables(sql: Sql) {
  return sql`
    api_client c
    left join partner on partner.guid = c.partner_guid
    left join management_group on management_group.guid = c.management_group_guid`;
}
