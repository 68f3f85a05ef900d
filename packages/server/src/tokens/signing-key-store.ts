import type { Sql } from '../database/database.ts';

export interface PublicJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
}

export interface SigningKeyRecord {
  readonly generation: number;
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly sealedPrivateKey: Buffer;
  readonly createdAtMs: number;
  /** Signs from then until a younger key does. */
  readonly activeFromMs: number;
  /** None of its tokens expires later. */
  readonly signedUntilMs: number;
}

export async function listSigningKeys(sql: Sql): Promise<SigningKeyRecord[]> {
  return await sql<SigningKeyRecord[]>`
    select generation, kid, public_jwk as "publicJwk", sealed_private_key as "sealedPrivateKey",
      (extract(epoch from created_at) * 1000)::float8 as "createdAtMs",
      (extract(epoch from active_from) * 1000)::float8 as "activeFromMs",
      (extract(epoch from signed_until) * 1000)::float8 as "signedUntilMs"
    from signing_key order by generation`;
}

/** False when another process already added it. */
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
 * Writes `promisedMs`, a little later than `neededMs`, so that most logins don't have to write to
 * this shared row.
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
