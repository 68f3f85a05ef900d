import type { JsonWebKey } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { CardKeyAlgorithm } from './card-key-algorithm.ts';

export type CardKeyState = 'PENDING' | 'ACTIVE' | 'DECRYPT_ONLY' | 'DESTROYED';

interface CardKeyRow {
  readonly clientId: string;
  readonly keyId: string;
  readonly algorithm: CardKeyAlgorithm;
  readonly state: CardKeyState;
  readonly legacy: boolean;
  readonly publicKeyPem: string;
  readonly publicKeyJwk: JsonWebKey;
  /** The key decrypts nothing after this. */
  readonly notAfter: Date | null;
}

export interface ManagedCardKeyRow extends CardKeyRow {
  readonly createdAt: Date;
  readonly stateChangedAt: Date;
}

export interface NewCardKey extends CardKeyRow {
  readonly sealedPrivateKey: Buffer;
}

export type DecryptingKeyRow = Pick<
  NewCardKey,
  'keyId' | 'algorithm' | 'sealedPrivateKey' | 'notAfter'
>;

export type SealedCardKey = Pick<NewCardKey, 'clientId' | 'keyId' | 'sealedPrivateKey'>;

export async function listSealedCardKeys(sql: Sql): Promise<SealedCardKey[]> {
  return await sql<SealedCardKey[]>`
    select client_id as "clientId", key_id as "keyId", sealed_private_key as "sealedPrivateKey"
    from card_key where sealed_private_key is not null
    order by client_id, key_id`;
}

export async function insertCardKey(sql: Sql, row: NewCardKey, now: Date): Promise<void> {
  await sql.touching([`client:${row.clientId}`])`
    insert into card_key (client_id, key_id, algorithm, state, legacy, public_key_pem,
      public_key_jwk, sealed_private_key, not_after, created_at, state_changed_at)
    values (${row.clientId}, ${row.keyId}, ${row.algorithm}, ${row.state}, ${row.legacy},
      ${row.publicKeyPem}, ${sql.json(row.publicKeyJwk)}, ${row.sealedPrivateKey},
      ${row.notAfter}, ${now}, ${now})`;
}

export async function listClientsWithoutCardKey(
  sql: Sql,
  clientIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ clientId: string }[]>`
    select asked.client_id as "clientId"
    from unnest(${clientIds}::text[]) as asked (client_id)
    where not exists (select from card_key where card_key.client_id = asked.client_id)`;
  return rows.map(({ clientId }) => clientId);
}

/** Without `keyId`, lists the client's legacy keys. */
export async function listDecryptingKeys(
  sql: Sql,
  clientId: string,
  keyId: string | null,
): Promise<DecryptingKeyRow[]> {
  return await sql<DecryptingKeyRow[]>`
    select key_id as "keyId", algorithm, sealed_private_key as "sealedPrivateKey",
      not_after as "notAfter"
    from card_key
    where client_id = ${clientId}
      and ${keyId === null ? sql`legacy` : sql`key_id = ${keyId}`}
      and state in ('ACTIVE', 'DECRYPT_ONLY')
    order by created_at desc, key_id desc`;
}

const columns = (sql: Sql) => sql`
  client_id as "clientId", key_id as "keyId", algorithm, state, legacy,
  public_key_pem as "publicKeyPem", public_key_jwk as "publicKeyJwk", not_after as "notAfter",
  created_at as "createdAt", state_changed_at as "stateChangedAt"`;

export async function listEncryptingKeys(
  sql: Sql,
  clientId: string,
  now: Date,
): Promise<ManagedCardKeyRow[]> {
  return await sql<ManagedCardKeyRow[]>`
    select ${columns(sql)} from card_key
    where client_id = ${clientId} and state = 'ACTIVE' and (not_after is null or not_after > ${now})
    order by created_at desc, key_id desc`;
}

/** False when the key wasn't in the first state. DESTROYED also removes the private part. */
export async function updateCardKeyState(
  sql: Sql,
  clientId: string,
  keyId: string,
  move: { readonly from: CardKeyState; readonly to: CardKeyState },
  now: Date,
): Promise<boolean> {
  const result = await sql.touching([`client:${clientId}`])`
    update card_key
    set state = ${move.to}, state_changed_at = ${now},
      sealed_private_key = ${move.to === 'DESTROYED' ? null : sql`sealed_private_key`}
    where client_id = ${clientId} and key_id = ${keyId} and state = ${move.from}`;
  return result.count === 1;
}

export async function listCardKeys(sql: Sql, clientId: string): Promise<ManagedCardKeyRow[]> {
  return await sql<ManagedCardKeyRow[]>`
    select ${columns(sql)} from card_key where client_id = ${clientId}
    order by created_at desc, key_id desc`;
}

export async function findCardKey(
  sql: Sql,
  clientId: string,
  keyId: string,
): Promise<ManagedCardKeyRow | null> {
  const [row] = await sql<ManagedCardKeyRow[]>`
    select ${columns(sql)} from card_key
    where client_id = ${clientId} and key_id = ${keyId}`;
  return row ?? null;
}
