import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';
import type { EndpointKey } from '../../src/webhooks/endpoints/endpoint-store.ts';
import { NOW_MS } from '../request.ts';

/** Forgets the events of a partner up to a position, as the retention does. */
export async function deleteOldEvents(sql: Sql, partnerGuid: string, upTo: number): Promise<void> {
  await sql`delete from partner_event where partner_guid = ${partnerGuid} and position <= ${upTo}`;
}

/** Forgets one event, while older ones are still to be delivered. */
export async function deleteEvent(sql: Sql, partnerGuid: string, position: number): Promise<void> {
  await sql`
    delete from partner_event where partner_guid = ${partnerGuid} and position = ${position}`;
}

/** Something that a partner is told beside its events: the one at a position again, or a test. */
export interface Extra {
  readonly partnerGuid: string;
  /** One more than the last one had. */
  readonly number: number;
  readonly position: number | null;
}

/** Tells a partner of something beside its events. */
export async function insertExtra(
  sql: Sql,
  { partnerGuid, number, position }: Extra,
): Promise<void> {
  const isTest = position === null;
  const body = '{"eventType":"partner_added"}';
  await sql`
    insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, position, guid,
      type, body)
    values (${partnerGuid}, ${number}, ${isTest ? 'TEST' : 'REPLAY'}, ${newGuid()},
      ${new Date(NOW_MS)}, ${position ?? 1}, ${position}, ${isTest ? newGuid() : null},
      ${isTest ? 'partner_added' : null}, ${isTest ? body : null})`;
  await sql`
    insert into webhook_extra_position (partner_guid, number) values (${partnerGuid}, ${number})
    on conflict (partner_guid) do update set number = ${number}`;
}

/**
 * Deliveries of an endpoint without their events, a second apart: so many that wait, the oldest,
 * and then so many that are over. All of them are known to everybody as a table of long ago is.
 */
export async function insertDeliveries(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  { waiting, over }: { readonly waiting: number; readonly over: number },
): Promise<void> {
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, event_type,
      state, queued_at, due_at, attempts, tries, finished_at)
    select ${partnerGuid}::uuid, ${endpointGuid}::uuid, number, 0,
      (lpad(to_hex(number), 8, '0') || '-0000-7000-8000-' || right(${endpointGuid}::text, 12))::uuid,
      'menus_updated', case when number <= ${waiting} then 'QUEUED' else 'DELIVERED' end, told.at, told.at, 0, 0,
      case when number > ${waiting} then told.at end
    from generate_series(1, ${waiting + over}::integer) as number
    cross join lateral (
      select ${new Date(NOW_MS)}::timestamptz + number * interval '1 second' as at) told`;
  // Until the log is on the disk, nothing of it counts as known to everybody.
  await sql.unsafe('checkpoint');
  do await sql.unsafe('vacuum (analyze, index_cleanup on) webhook_delivery');
  while (!(await isKnownToAll(sql)));
}

/** A snapshot of somebody else keeps a vacuum from telling it of a page. */
async function isKnownToAll(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ isKnown: boolean }]>`
    select relallvisible = relpages as "isKnown" from pg_class
    where oid = 'webhook_delivery'::regclass`;
  return row.isKnown;
}

/** What no answer shows of the deliveries of an endpoint, the oldest first. */
export async function listHidden(
  sql: Sql,
  endpointGuid: string,
): Promise<{ tries: number; droppedBy: string | null; replayedBy: number | null }[]> {
  return await sql`
    select tries, dropped_by as "droppedBy", replayed_by as "replayedBy" from webhook_delivery
    where endpoint_guid = ${endpointGuid} order by place, extra`;
}
