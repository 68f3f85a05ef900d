import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';

/** Inserts an account of a management group without any scope; gives the client id. */
export async function insertGroupClient(
  sql: Sql,
  type: 'CUSTOMER' | 'BACK_OFFICE',
  managementGroupGuid: string,
): Promise<string> {
  const clientId = newGuid();
  await sql`
    insert into api_client (client_id, name, type, management_group_guid, scopes,
      holds_legacy_card_key, created_at)
    values (${clientId}, 'Client', ${type}, ${managementGroupGuid}, '{}', false, ${new Date(0)})`;
  return clientId;
}

/** Ends an account. */
export async function updateClientEnded(sql: Sql, clientId: string, now: Date): Promise<void> {
  await sql`update api_client set revoked_at = ${now} where client_id = ${clientId}`;
}

/** The private part of a card key as it is stored; null when there is none. */
export async function findSealedKey(sql: Sql, keyId: string): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer | null }[]>`
    select sealed_private_key as sealed from card_key where key_id = ${keyId}`;
  return row?.sealed ?? null;
}
