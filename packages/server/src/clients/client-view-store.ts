import type { ClientType, Scope } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Reach } from '../reach/reach.ts';
import { isReachedGroup, isReachedPartner } from '../reach/reach-store.ts';

/** What may be known of a secret. */
export interface SecretView {
  readonly clientId: string;
  readonly guid: string;
  readonly label: string | null;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
  readonly lastUsedAt: Date | null;
}

/** An account with all that is kept of it, but for its secrets. */
export interface ClientView {
  readonly clientId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: ClientType;
  readonly partnerGuid: string | null;
  readonly partnerName: string | null;
  readonly managementGroupGuid: string | null;
  readonly managementGroupName: string | null;
  /** Sorted, without repeats. */
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey: boolean;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
  readonly lastUsedAt: Date | null;
}

/** Which accounts a list holds: those within reach that fit all that is given. */
export interface ClientFilter {
  readonly reach: Reach;
  readonly type?: ClientType;
  readonly partnerGuid?: string;
  readonly managementGroupGuid?: string;
  readonly revoked?: boolean;
  /** A part of the name, in capitals or not. */
  readonly name?: string;
}

/** The last account of a page. */
export interface ClientPlace {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly clientId: string;
}

type Row = Omit<ClientView, 'scopes'> & { readonly scopes: string };

/** Lists accounts, the newest first, at most `limit` from `after` on. */
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
  const rows = await sql<Row[]>`
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
  return rows.map(readView);
}

/** Finds an account within reach, revoked or not; null when there is none. */
export async function findClientView(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ClientView | null> {
  const [row] = await sql<Row[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.client_id = ${clientId} and ${isReachedClient(sql, reach)}`;
  return row ? readView(row) : null;
}

/** Finds an account within reach and keeps others from changing it; null when there is none. */
export async function findClientViewLocked(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ClientView | null> {
  const [row] = await sql<Row[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where c.client_id = ${clientId} and ${isReachedClient(sql, reach)}
    for no key update of c`;
  return row ? readView(row) : null;
}

/**
 * The scopes that live accounts of one kind hold at a partner or in a group. Until the transaction
 * ends no scope is taken from them, and none of them is revoked.
 */
export async function listHeldScopes(
  sql: Sql,
  type: ClientType,
  { partnerGuid, managementGroupGuid }: Pick<ClientView, 'partnerGuid' | 'managementGroupGuid'>,
): Promise<ReadonlySet<Scope>> {
  const rows = await sql<{ scopes: string }[]>`
    select array_to_string(c.scopes, ' ') as scopes from api_client c
    where c.type = ${type} and c.revoked_at is null and ${
      partnerGuid === null
        ? sql`c.management_group_guid = ${managementGroupGuid}`
        : sql`c.partner_guid = ${partnerGuid}`
    }
    order by c.client_id
    for share`;
  return new Set(rows.flatMap(({ scopes }) => scopes.split(' ').filter(Boolean) as Scope[]));
}

/** Lists every secret of accounts, also those that ended, the newest of each first. */
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

/** What can be said anew of an account. */
export type ClientText = Pick<ClientView, 'name' | 'description' | 'holdsLegacyCardKey'>;

/** Renames and describes an account, and says whether it may leave `keyId` out (PAY-3). */
export async function updateClientText(
  sql: Sql,
  clientId: string,
  { name, description, holdsLegacyCardKey }: ClientText,
): Promise<void> {
  await sql.touching([`client:${clientId}`])`
    update api_client
    set name = ${name}, description = ${description},
      holds_legacy_card_key = ${holdsLegacyCardKey}
    where client_id = ${clientId}`;
}

/** Ends the live secrets of an account but one at an instant, unless they end before. */
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

/** Whether there is a management group. */
export async function findIsGroup(sql: Sql, guid: string): Promise<boolean> {
  const rows = await sql`select from management_group where guid = ${guid}`;
  return rows.length > 0;
}

/** Whether there is a partner. */
export async function findIsPartner(sql: Sql, guid: string): Promise<boolean> {
  const rows = await sql`select from partner where guid = ${guid}`;
  return rows.length > 0;
}

function readView(row: Row): ClientView {
  return { ...row, scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as Scope[]) };
}

/** Accounts of the groups and of the partners that are reached; those of the platform with it. */
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
    array_to_string(c.scopes, ' ') as scopes,
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
