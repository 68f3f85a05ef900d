import type { Sql } from '../../database/database.ts';

export interface SealedCardKey {
  readonly clientId: string;
  readonly keyId: string;
  readonly sealedPrivateKey: Buffer;
}

export async function listSealedCardKeys(sql: Sql): Promise<SealedCardKey[]> {
  return await sql<SealedCardKey[]>`
    select client_id as "clientId", key_id as "keyId", sealed_private_key as "sealedPrivateKey"
    from card_key where sealed_private_key is not null
    order by client_id, key_id`;
}
