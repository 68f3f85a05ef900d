import type { Sql } from '../database/database.ts';

/** The public half of an RSA key in the form of a JWKS (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
}

/** One generation of the chain of signing keys. Times are epoch milliseconds. */
export interface SigningKeyRecord {
  readonly generation: number;
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly sealedPrivateKey: Buffer;
  readonly createdAtMs: number;
  /** It signs from here on, until a younger generation does. */
  readonly activeFromMs: number;
  /** No token that it signed expires later. */
  readonly signedUntilMs: number;
}

interface SigningKeyRow {
  generation: number;
  kid: string;
  public_jwk: PublicJwk;
  sealed_private_key: Buffer;
  created_at: Date;
  active_from: Date;
  signed_until: Date;
}

/** All signing keys, oldest first. There is one for every quarter of a year, so they are few. */
export async function listSigningKeys(sql: Sql): Promise<SigningKeyRecord[]> {
  const rows = await sql<SigningKeyRow[]>`
    select generation, kid, public_jwk, sealed_private_key, created_at, active_from, signed_until
    from signing_key order by generation`;
  return rows.map((row) => ({
    generation: row.generation,
    kid: row.kid,
    publicJwk: row.public_jwk,
    sealedPrivateKey: row.sealed_private_key,
    createdAtMs: row.created_at.getTime(),
    activeFromMs: row.active_from.getTime(),
    signedUntilMs: row.signed_until.getTime(),
  }));
}

/** Adds a generation; false, and nothing written, when another process has added it already. */
export async function insertSigningKey(sql: Sql, key: SigningKeyRecord): Promise<boolean> {
  const written = await sql.touching(['signingKeys:all'])`
    insert into signing_key (
      generation, kid, public_jwk, sealed_private_key, created_at, active_from, signed_until
    ) values (
      ${key.generation}, ${key.kid}, ${sql.json(key.publicJwk)}, ${key.sealedPrivateKey},
      ${new Date(key.createdAtMs)}, ${new Date(key.activeFromMs)}, ${new Date(key.signedUntilMs)}
    )
    on conflict (generation) do nothing`;
  return written.count === 1;
}

/**
 * Promises that the key's tokens are accepted until `neededMs`. What is written is `promisedMs`, a
 * little later, so that most logins find the promise made and write nothing to this shared row.
 */
export async function updateSignedUntil(
  sql: Sql,
  kid: string,
  neededMs: number,
  promisedMs: number,
): Promise<void> {
  await sql`
    update signing_key set signed_until = ${new Date(promisedMs)}
    where kid = ${kid} and signed_until < ${new Date(neededMs)}`;
}
