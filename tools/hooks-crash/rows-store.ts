import type { Sql } from '@servery/server/db/database.ts';

/** How many deliveries are in each state. */
export async function listDeliveryCounts(
  sql: Sql,
): Promise<{ readonly state: string; readonly count: number }[]> {
  return await sql<{ state: string; count: number }[]>`
    select state, count(*)::integer as count from webhook_delivery group by state`;
}

/** Every event of a partner: its guid, and what the change said. */
export async function listWrittenEvents(
  sql: Sql,
  partnerGuid: string,
): Promise<{ readonly guid: string; readonly body: string }[]> {
  return await sql<{ guid: string; body: string }[]>`
    select guid, body from partner_event where partner_guid = ${partnerGuid} order by position`;
}

/** Makes a restaurant that partners can connect to. */
export async function insertCrashRestaurant(
  sql: Sql,
  guid: string,
  groupGuid: string,
  at: Date,
): Promise<void> {
  await sql`
    insert into management_group (guid, name, created_at) values (${groupGuid}, 'Group', ${at})`;
  await sql`
    insert into restaurant (guid, management_group_guid, name, location_name, time_zone,
      closeout_hour, currency_code, archived, urls, location, schedules, delivery, online_ordering,
      prep_times, publish_number, created_at, modified_at)
    values (${guid}, ${groupGuid}, 'Diner', null, 'America/Chicago', 4, 'USD', false, '{}', '{}',
      '{}', '{}', '{}', '{}', 1, ${at}, ${at})`;
}

/** Makes a partner. */
export async function insertCrashPartner(sql: Sql, guid: string, at: Date): Promise<void> {
  await sql`insert into partner (guid, name, created_at) values (${guid}, 'Partner', ${at})`;
}
