import type { ClientType, Scope } from '@servery/contract';
import type { Sql } from '../database/database.ts';

/** An API account as the database has it now. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  /** Set for PARTNER accounts, else null. */
  readonly partnerGuid: string | null;
  /** Set for CUSTOMER accounts, and for BACK_OFFICE accounts of one group; else null. */
  readonly managementGroupGuid: string | null;
  /** Sorted, without repeats. */
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey: boolean;
  readonly revoked: boolean;
}

/** A row of `api_client` and the digest of its first secret, to be written together. */
export interface NewClient extends Omit<ApiClient, 'revoked'> {
  readonly description: string | null;
  readonly secretGuid: string;
  readonly secretDigest: Buffer;
  readonly secretLabel: string | null;
  /** Epoch milliseconds; null for never. */
  readonly secretExpiresAtMs: number | null;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Who makes it, as histories name them; null when that is not known. */
  readonly createdBy: string | null;
}

/** An account beside the names of whom it belongs to; each is null where there is no such owner. */
export interface ListedClient extends ApiClient {
  readonly partnerName: string | null;
  readonly managementGroupName: string | null;
}

/** The columns of `clientColumns`, as the driver gives them. */
export interface ClientRow {
  client_id: string;
  name: string;
  type: ClientType;
  partner_guid: string | null;
  management_group_guid: string | null;
  scopes: string;
  holds_legacy_card_key: boolean;
  revoked_at: Date | null;
}

/** The account that a row describes. */
export function readClient(row: ClientRow): ApiClient {
  return {
    clientId: row.client_id,
    name: row.name,
    type: row.type,
    partnerGuid: row.partner_guid,
    managementGroupGuid: row.management_group_guid,
    scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as Scope[]),
    holdsLegacyCardKey: row.holds_legacy_card_key,
    revoked: row.revoked_at !== null,
  };
}

/**
 * The columns of `api_client c` that make an ApiClient. Arrays cross the wire as text, so that
 * nothing hangs on how a driver or pooler types them.
 */
export const clientColumns = (sql: Sql) => sql`
  c.client_id, c.name, c.type, c.partner_guid, c.management_group_guid,
  array_to_string(c.scopes, ' ') as scopes, c.holds_legacy_card_key, c.revoked_at`;

/**
 * Adds an account and its first secret in one statement; false, and nothing written, when the
 * client id is taken. `now` values are epoch milliseconds.
 */
export async function insertClient(sql: Sql, client: NewClient): Promise<boolean> {
  const createdAt = new Date(client.createdAtMs);
  const { secretExpiresAtMs, createdBy } = client;
  const expiresAt = secretExpiresAtMs === null ? null : new Date(secretExpiresAtMs);
  const written = await sql.touching([`client:${client.clientId}`])`
    with added as (
      insert into api_client (
        client_id, name, description, type, partner_guid, management_group_guid, scopes,
        holds_legacy_card_key, created_at, created_by
      ) values (
        ${client.clientId}, ${client.name}, ${client.description}, ${client.type},
        ${client.partnerGuid}, ${client.managementGroupGuid},
        string_to_array(${client.scopes.join(' ')}, ' '), ${client.holdsLegacyCardKey},
        ${createdAt}, ${createdBy}
      )
      on conflict (client_id) do nothing
      returning client_id
    )
    insert into client_secret (client_id, guid, digest, label, created_at, created_by, expires_at)
    select client_id, ${client.secretGuid}::uuid, ${client.secretDigest}::bytea,
      ${client.secretLabel}::text, ${createdAt}::timestamptz, ${createdBy}::text,
      ${expiresAt}::timestamptz
    from added`;
  return written.count === 1;
}

/** Lists every account, also those that ended, by type, name and id. */
export async function listClients(sql: Sql): Promise<ListedClient[]> {
  type Names = Pick<ListedClient, 'partnerName' | 'managementGroupName'>;
  const rows = await sql<(ClientRow & Names)[]>`
    select ${clientColumns(sql)}, partner.name as "partnerName",
      management_group.name as "managementGroupName"
    from api_client c
    left join partner on partner.guid = c.partner_guid
    left join management_group on management_group.guid = c.management_group_guid
    order by c.type, c.name, c.client_id`;
  return rows.map(({ partnerName, managementGroupName, ...row }) => ({
    ...readClient(row),
    ...{ partnerName, managementGroupName },
  }));
}

/** A further secret of an account. Instants are epoch milliseconds. */
export interface NewSecretRow {
  readonly clientId: string;
  readonly guid: string;
  readonly digest: Buffer;
  readonly label: string | null;
  readonly createdAtMs: number;
  /** Who makes it, as histories name them; null when that is not known. */
  readonly createdBy: string | null;
  /** Null for never. */
  readonly expiresAtMs: number | null;
}

/** Adds a secret beside those that live; false when there is no such live account. */
export async function insertSecret(sql: Sql, secret: NewSecretRow): Promise<boolean> {
  const expiresAt = secret.expiresAtMs === null ? null : new Date(secret.expiresAtMs);
  const written = await sql.touching([`client:${secret.clientId}`])`
    insert into client_secret (client_id, guid, digest, label, created_at, created_by, expires_at)
    select client_id, ${secret.guid}::uuid, ${secret.digest}::bytea, ${secret.label}::text,
      ${new Date(secret.createdAtMs)}::timestamptz, ${secret.createdBy}::text,
      ${expiresAt}::timestamptz
    from api_client where client_id = ${secret.clientId} and revoked_at is null`;
  return written.count === 1;
}

/** Ends one secret with its tokens (AUTH-10); false when the account has no such live secret. */
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

/** Ends an account; false when it is unknown or ended already. */
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
 * Replaces the scopes of an account, and keeps since when it has those that are new; false when it
 * is unknown or ended. `grantedAt` is null when that is not known.
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

/** The account behind a token. */
export interface TokenClient {
  readonly client: ApiClient;
  readonly tokenRevoked: boolean;
  /** Whether the secret that the token was issued by was revoked; an expired one was not. */
  readonly secretRevoked: boolean;
}

/**
 * The account behind a token and whether that token or its secret was revoked; null when the
 * account is unknown. One statement on three primary keys.
 */
export async function findClientOfToken(
  sql: Sql,
  clientId: string,
  { jti, secretGuid }: { readonly jti: string; readonly secretGuid: string },
): Promise<TokenClient | null> {
  type Row = ClientRow & { token_revoked: boolean; secret_revoked: boolean };
  const [row] = await sql<Row[]>`
    select ${clientColumns(sql)}, exists (
      select from revoked_token r where r.client_id = c.client_id and r.jti = ${jti}
    ) as token_revoked, not exists (
      select from client_secret s
      where s.client_id = c.client_id and s.guid = ${secretGuid} and s.revoked_at is null
    ) as secret_revoked
    from api_client c where c.client_id = ${clientId}`;
  if (!row) return null;
  const { token_revoked: tokenRevoked, secret_revoked: secretRevoked } = row;
  return { client: readClient(row), tokenRevoked, secretRevoked };
}
