import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';
import { insertPartner } from '../rows.ts';

const NOW = new Date('2026-01-01T00:00:00.000Z');

/** Inserts a partner's account with this id and name. */
export async function insertStockClient(sql: Sql, clientId: string, name: string): Promise<void> {
  const partnerGuid = await insertPartner(sql);
  await sql`
    insert into api_client (client_id, name, type, partner_guid, scopes, holds_legacy_card_key,
      created_at)
    values (${clientId}, ${name}, 'PARTNER', ${partnerGuid}, ${['stock:write']}, false, ${NOW})`;
}

/** Inserts a person of this name; gives the guid. */
export async function insertStockPerson(sql: Sql, name: string): Promise<string> {
  const guid = newGuid();
  await sql`
    insert into person (guid, email, name, created_at)
    values (${guid}, ${`${guid}@example.com`}, ${name}, ${NOW})`;
  return guid;
}

/** What an item became by each of its changes, the oldest first: status, and quantity if any. */
export async function listLevelsAfter(sql: Sql, itemGuid: string): Promise<string[]> {
  const rows = await sql<{ level: string }[]>`
    select concat_ws(' ', status_after, trim_scale(quantity_after)::text) as level
    from stock_change where item_guid = ${itemGuid} order by version`;
  return rows.map(({ level }) => level);
}

/** When each item of a restaurant that is out comes back by itself, the first item first. */
export async function listUntils(sql: Sql, restaurantGuid: string): Promise<(Date | null)[]> {
  const rows = await sql<{ until: Date | null }[]>`
    select until from stock where restaurant_guid = ${restaurantGuid} order by item_guid`;
  return rows.map(({ until }) => until);
}
