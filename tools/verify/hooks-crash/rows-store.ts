import type { Sql } from '../../../packages/server/src/database/database.ts';

/** How many deliveries are in each state. */
export async function listDeliveryCounts(
  sql: Sql,
): Promise<{ readonly state: string; readonly count: number }[]> {
  return await sql<{ state: string; count: number }[]>`
    select state, count(*)::integer as count from webhook_delivery group by state`;
}

/** The claims by which somebody works on deliveries, or worked when it was killed. */
export async function listClaims(sql: Sql): Promise<string[]> {
  const rows = await sql<{ holder: string }[]>`
    select distinct lease_holder as holder from webhook_delivery
    where state = 'QUEUED' and lease_holder is not null`;
  return rows.map(({ holder }) => holder);
}

/** Whether the endpoint of a partner is paused. */
export async function findIsPaused(sql: Sql, partnerGuid: string): Promise<boolean> {
  const [row] = await sql<{ state: string }[]>`
    select state from webhook_endpoint where partner_guid = ${partnerGuid}`;
  return row?.state === 'PAUSED';
}

/** Makes due at `now` what waits, and probes, but for partners that are left alone. */
export async function updateOthersDue(
  sql: Sql,
  leftAlone: readonly string[],
  now: Date,
): Promise<void> {
  const left = leftAlone.join(' ');
  await sql`
    update webhook_delivery set due_at = ${now}
    where state = 'QUEUED' and due_at > ${now}
      and partner_guid <> all(string_to_array(${left}, ' ')::uuid[])`;
  await sql`
    update webhook_endpoint set probe_at = ${now}
    where probe_at > ${now} and partner_guid <> all(string_to_array(${left}, ' ')::uuid[])`;
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
