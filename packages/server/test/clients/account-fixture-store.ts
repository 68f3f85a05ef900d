import type { Sql } from '../../src/database/database.ts';

/** Everything that is kept of accounts and of what was changed, as one text to search in. */
export async function findAccountTexts(sql: Sql): Promise<string> {
  const rows = await sql<{ text: string }[]>`
    select c::text as text from api_client c union all
    select s::text from client_secret s union all
    select e::text from audit_entry e`;
  return rows.map(({ text }) => text).join('\n');
}

/** Lists a partner with the restaurants of a group, so that the group has to do with it. */
export async function insertGroupPartner(
  sql: Sql,
  managementGroupGuid: string,
  partnerGuid: string,
): Promise<void> {
  await sql`
    insert into management_group_partner (management_group_guid, partner_guid)
    values (${managementGroupGuid}, ${partnerGuid})`;
}

/** Tries to change what was written of connections; gives how many rows were. */
export async function updateHistory(sql: Sql): Promise<number> {
  const { count } = await sql`update connection_change set actor = 'nobody'`;
  return count;
}
