import type { Sql } from '../../src/db/database.ts';
import { newGuid } from '../../src/support/ids.ts';
import { insertPartner } from '../rows.ts';

const NOW = new Date('2026-01-01T00:00:00.000Z');

/** Inserts a partner's account with this id and name. */
export async function insertPantryClient(sql: Sql, clientId: string, name: string): Promise<void> {
  const partnerGuid = await insertPartner(sql);
  await sql`
    insert into api_client (client_id, name, type, partner_guid, scopes, holds_legacy_card_key,
      created_at)
    values (${clientId}, ${name}, 'PARTNER', ${partnerGuid}, ${['stock:write']}, false, ${NOW})`;
}

/** Inserts a person of this name; gives the guid. */
export async function insertPantryPerson(sql: Sql, name: string): Promise<string> {
  const guid = newGuid();
  await sql`
    insert into person (guid, email, name, created_at)
    values (${guid}, ${`${guid}@example.com`}, ${name}, ${NOW})`;
  return guid;
}
