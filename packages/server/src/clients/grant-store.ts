import type { Sql } from '../database/database.ts';
import { type ApiClient, type ClientRow, clientColumns, readClient } from './client-store.ts';

/** What a token says and which key signs it: signed again, it gives the same token (AUTH-3). */
export interface Grant {
  readonly clientId: string;
  /** The secret that the token is issued by (AUTH-10). */
  readonly secretGuid: string;
  /** The scopes asked for, sorted and separated by blanks; empty for all that the account has. */
  readonly narrowedTo: string;
  readonly jti: string;
  readonly kid: string;
  /** The claims but `iat`, `exp` and `jti`, as JSON text. */
  readonly facts: string;
  /** Epoch seconds. */
  readonly issuedAt: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** The present grant, if any, and for how long its key signs. */
export interface GrantState {
  readonly grant: Grant | null;
  /** When a younger signing key takes over from the grant's, in epoch ms; null for none known. */
  readonly replacedAtMs: number | null;
}

/** A secret that was not revoked, with the grant of its present token. */
export interface LoginSecret extends GrantState {
  readonly guid: string;
  readonly digest: Buffer;
  /** Epoch milliseconds; null for never. */
  readonly expiresAtMs: number | null;
}

/** Everything a login needs to know, read at one instant and good at any. */
export interface LoginState {
  readonly client: ApiClient;
  readonly secrets: readonly LoginSecret[];
}

interface GrantRow {
  jti: string | null;
  kid: string;
  facts: string;
  issued_at: Date;
  expires_at: Date;
  replaced_at: Date | null;
}

/** Null where the account has no secret that was not revoked. */
interface SecretRow {
  secret_guid: string | null;
  digest: Buffer | null;
  secret_expires_at: Date | null;
}

/** Whose present token is meant: of which secret of an account, and for which scopes. */
export type GrantKey = Pick<Grant, 'clientId' | 'secretGuid' | 'narrowedTo'>;

function readGrantState(key: GrantKey, row: GrantRow): GrantState {
  if (row.jti === null) return { grant: null, replacedAtMs: null };
  const { jti, kid, facts } = row;
  const issuedAt = row.issued_at.getTime() / 1000;
  const expiresAt = row.expires_at.getTime() / 1000;
  return {
    grant: { ...key, jti, kid, facts, issuedAt, expiresAt },
    replacedAtMs: row.replaced_at?.getTime() ?? null,
  };
}

// A key that is younger than the one in use by this process's clock is as good: two processes whose
// clocks differ a little would otherwise replace each other's tokens at a rotation.
const grantColumns = (sql: Sql) => sql`
  g.jti, g.kid, g.facts, g.issued_at, g.expires_at, (
    select min(younger.active_from) from signing_key younger
    where younger.generation > k.generation
  ) as replaced_at`;

/**
 * The account and its secrets with their present grants, in one statement, because clients log in
 * again before every call; null when the account is unknown.
 */
export async function findLogin(
  sql: Sql,
  clientId: string,
  narrowedTo: string,
): Promise<LoginState | null> {
  const rows = await sql<(ClientRow & GrantRow & SecretRow)[]>`
    select ${clientColumns(sql)}, ${grantColumns(sql)}, s.guid as secret_guid, s.digest,
      s.expires_at as secret_expires_at
    from api_client c
    left join client_secret s on s.client_id = c.client_id and s.revoked_at is null
    left join access_grant g on g.client_id = c.client_id and g.secret_guid = s.guid
      and g.narrowed_to = ${narrowedTo}
    left join signing_key k on k.kid = g.kid
    where c.client_id = ${clientId}`;
  const [first] = rows;
  if (!first) return null;
  const secrets = rows.flatMap((row): LoginSecret[] => {
    const { secret_guid: secretGuid, digest, secret_expires_at: expiresAt } = row;
    if (secretGuid === null || digest === null) return [];
    const grantState = readGrantState({ clientId, secretGuid, narrowedTo }, row);
    return [{ guid: secretGuid, digest, expiresAtMs: expiresAt?.getTime() ?? null, ...grantState }];
  });
  return { client: readClient(first), secrets };
}

/** The present grant of a secret, for those scopes. */
export async function findGrant(sql: Sql, key: GrantKey): Promise<GrantState> {
  const { clientId, secretGuid, narrowedTo } = key;
  const [row] = await sql<GrantRow[]>`
    select ${grantColumns(sql)}
    from access_grant g join signing_key k on k.kid = g.kid
    where g.client_id = ${clientId} and g.secret_guid = ${secretGuid}
      and g.narrowed_to = ${narrowedTo}`;
  return row ? readGrantState(key, row) : { grant: null, replacedAtMs: null };
}

/**
 * Writes the grant when there is none yet, or when the one there is still `replacedJti`. False,
 * and nothing written, when another login was faster: read again and use its grant.
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

/** Forgets the grant of a revoked token, so that the next login makes a new one. */
export async function deleteGrant(sql: Sql, clientId: string, jti: string): Promise<void> {
  await sql.touching([`client:${clientId}`])`
    delete from access_grant where client_id = ${clientId} and jti = ${jti}`;
}

/** Marks a token as revoked; doing so twice changes nothing. `expiresAt` is epoch seconds. */
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

/** Forgets the account's revoked tokens that have expired, which are refused without it. */
export async function deleteExpiredRevokedTokens(
  sql: Sql,
  clientId: string,
  nowMs: number,
): Promise<void> {
  await sql`
    delete from revoked_token
    where client_id = ${clientId} and expires_at <= ${new Date(nowMs)}`;
}
