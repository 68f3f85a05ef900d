import type { JsonWebKey } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { CardKeyAlgorithm } from './card-key-algorithm.ts';

/** The life of a card key: not yet used, for new data, for old data only, gone. */
export type CardKeyState = 'PENDING' | 'ACTIVE' | 'DECRYPT_ONLY' | 'DESTROYED';

/** A card key as it is stored, without its private part. */
export interface CardKeyRow {
  readonly clientId: string;
  readonly keyId: string;
  readonly algorithm: CardKeyAlgorithm;
  readonly state: CardKeyState;
  readonly legacy: boolean;
  readonly publicKeyPem: string;
  readonly publicKeyJwk: JsonWebKey;
  readonly notAfter: Date | null;
}

/** A card key with its history, for those who manage it. */
export interface ManagedCardKeyRow extends CardKeyRow {
  readonly createdAt: Date;
  readonly stateChangedAt: Date;
}

/** A new card key as it is to be stored, its private part sealed. */
export interface NewCardKey extends CardKeyRow {
  readonly sealedPrivateKey: Buffer;
}

/** A card key that may decrypt, with its sealed private part. */
export interface DecryptingKeyRow {
  readonly keyId: string;
  readonly algorithm: CardKeyAlgorithm;
  readonly sealedPrivateKey: Buffer;
  /** It decrypts nothing from then on; null when no end is planned. */
  readonly notAfter: Date | null;
}

/** Inserts a new key of a client. */
export async function insertCardKey(sql: Sql, row: NewCardKey, now: Date): Promise<void> {
  await sql.touching([`client:${row.clientId}`])`
    insert into card_key (client_id, key_id, algorithm, state, legacy, public_key_pem,
      public_key_jwk, sealed_private_key, not_after, created_at, state_changed_at)
    values (${row.clientId}, ${row.keyId}, ${row.algorithm}, ${row.state}, ${row.legacy},
      ${row.publicKeyPem}, ${sql.json(row.publicKeyJwk)}, ${row.sealedPrivateKey},
      ${row.notAfter}, ${now}, ${now})`;
}

/** Of these clients, known or not, those that never had a card key. */
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

/**
 * The keys of a client that may decrypt until their end, newest first: active or decrypt-only.
 * Without `keyId` they are the client's legacy keys.
 */
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

/** The keys that a client may encrypt new card data with at `now`, newest first (PAY-4). */
export async function listEncryptingKeys(
  sql: Sql,
  clientId: string,
  now: Date,
): Promise<CardKeyRow[]> {
  return await sql<CardKeyRow[]>`
    select client_id as "clientId", key_id as "keyId", algorithm, state, legacy,
      public_key_pem as "publicKeyPem", public_key_jwk as "publicKeyJwk", not_after as "notAfter"
    from card_key
    where client_id = ${clientId} and state = 'ACTIVE' and (not_after is null or not_after > ${now})
    order by created_at desc, key_id desc`;
}

/**
 * Moves a key from one state to another; false when it was not in the first. A destroyed key loses
 * its private part in the same statement.
 */
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

const managedColumns = (sql: Sql) => sql`
  client_id as "clientId", key_id as "keyId", algorithm, state, legacy,
  public_key_pem as "publicKeyPem", public_key_jwk as "publicKeyJwk", not_after as "notAfter",
  created_at as "createdAt", state_changed_at as "stateChangedAt"`;

/** Every key that a client ever had, newest first. */
export async function listCardKeys(sql: Sql, clientId: string): Promise<ManagedCardKeyRow[]> {
  return await sql<ManagedCardKeyRow[]>`
    select ${managedColumns(sql)} from card_key where client_id = ${clientId}
    order by created_at desc, key_id desc`;
}

/** A key of a client, or null when there is no such key. */
export async function findCardKey(
  sql: Sql,
  clientId: string,
  keyId: string,
): Promise<ManagedCardKeyRow | null> {
  const [row] = await sql<ManagedCardKeyRow[]>`
    select ${managedColumns(sql)} from card_key
    where client_id = ${clientId} and key_id = ${keyId}`;
  return row ?? null;
}
