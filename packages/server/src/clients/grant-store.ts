import type { Sql } from '../database/database.ts';
import { type ApiClient, clientAsJson } from './client-store.ts';

/** Signing it again gives the same token (AUTH-3). */
export interface Grant {
  readonly clientId: string;
  /** Issues the token (AUTH-10). */
  readonly secretGuid: string;
  readonly narrowedTo: string;
  readonly jti: string;
  readonly kid: string;
  /** The claims as JSON, without `iat`, `exp` and `jti`. */
  readonly facts: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface GrantState {
  readonly grant: Grant | null;
  /** When a younger key takes over; null when none is known. */
  readonly replacedAtMs: number | null;
}

export interface LoginSecret extends GrantState {
  readonly guid: string;
  readonly digest: Buffer;
  readonly expiresAtMs: number | null;
}

export interface LoginState {
  readonly client: ApiClient;
  readonly secrets: readonly LoginSecret[];
}

export type GrantKey = Pick<Grant, 'clientId' | 'secretGuid' | 'narrowedTo'>;

// Accept a key that is younger than this process's active one. Otherwise two processes with
// slightly different clocks would replace each other's tokens at a rotation.
const grantColumns = (sql: Sql) => sql`
  case when g.jti is not null then json_build_object('clientId', g.client_id,
    'secretGuid', g.secret_guid, 'narrowedTo', g.narrowed_to, 'jti', g.jti, 'kid', g.kid,
    'facts', g.facts, 'issuedAt', extract(epoch from g.issued_at)::float8,
    'expiresAt', extract(epoch from g.expires_at)::float8) end as "grant", (
    select (extract(epoch from min(younger.active_from)) * 1000)::float8 from signing_key younger
    where younger.generation > k.generation
  ) as "replacedAtMs"`;

/** One statement, because clients log in again before every call; null for an unknown account. */
export async function findLogin(
  sql: Sql,
  clientId: string,
  narrowedTo: string,
): Promise<LoginState | null> {
  type Row = LoginSecret & { readonly client: ApiClient; readonly guid: string | null };
  const rows = await sql<Row[]>`
    select ${clientAsJson(sql)} as client, s.guid, s.digest,
      (extract(epoch from s.expires_at) * 1000)::float8 as "expiresAtMs", ${grantColumns(sql)}
    from api_client c
    left join client_secret s on s.client_id = c.client_id and s.revoked_at is null
    left join access_grant g on g.client_id = c.client_id and g.secret_guid = s.guid
      and g.narrowed_to = ${narrowedTo}
    left join signing_key k on k.kid = g.kid
    where c.client_id = ${clientId}`;
  const [first] = rows;
  if (!first) return null;
  const secrets = rows
    .map(({ client: _, ...secret }) => secret)
    .filter(({ guid }) => guid !== null);
  return { client: first.client, secrets };
}

export async function findGrant(sql: Sql, key: GrantKey): Promise<GrantState> {
  const { clientId, secretGuid, narrowedTo } = key;
  const [row] = await sql<GrantState[]>`
    select ${grantColumns(sql)}
    from access_grant g join signing_key k on k.kid = g.kid
    where g.client_id = ${clientId} and g.secret_guid = ${secretGuid}
      and g.narrowed_to = ${narrowedTo}`;
  return row ?? { grant: null, replacedAtMs: null };
}

/**
 * Writes only if there is no grant yet, or it is still `replacedJti`. False when another login was
 * faster: read again and use its grant.
 */
export async function insertGrant(
  sql: Sql,
  grant: Grant,
  replacedJti: string | null,
): Promise<boolean> {
  const written = await sql.touching([`client:${grant.clientId}`])`
    insert into access_grant as g (
      client_id, secret_guid, narrowed_to, jti, kid, facts, issued_at, expires_at
    ) values (
      ${grant.clientId}, ${grant.secretGuid}, ${grant.narrowedTo}, ${grant.jti}, ${grant.kid},
      ${grant.facts}, ${new Date(grant.issuedAt * 1000)}, ${new Date(grant.expiresAt * 1000)}
    )
    on conflict (client_id, secret_guid, narrowed_to) do update set
      jti = excluded.jti, kid = excluded.kid, facts = excluded.facts,
      issued_at = excluded.issued_at, expires_at = excluded.expires_at
    where g.jti = ${replacedJti}`;
  return written.count === 1;
}

/** Makes the next login create a new one. */
export async function deleteGrant(sql: Sql, clientId: string, jti: string): Promise<void> {
  await sql.touching([`client:${clientId}`])`
    delete from access_grant where client_id = ${clientId} and jti = ${jti}`;
}

/** Idempotent. `expiresAt` is in epoch seconds. */
export async function insertRevokedToken(
  sql: Sql,
  token: { clientId: string; jti: string; expiresAt: number },
  nowMs: number,
): Promise<void> {
  await sql.touching([`client:${token.clientId}`])`
    insert into revoked_token (client_id, jti, expires_at, revoked_at)
    values (
      ${token.clientId}, ${token.jti}, ${new Date(token.expiresAt * 1000)}, ${new Date(nowMs)}
    )
    on conflict (client_id, jti) do nothing`;
}

/** Expired tokens are refused without these rows. */
export async function deleteExpiredRevokedTokens(
  sql: Sql,
  clientId: string,
  nowMs: number,
): Promise<void> {
  await sql`
    delete from revoked_token
    where client_id = ${clientId} and expires_at <= ${new Date(nowMs)}`;
}
