import type { EventType } from '@servery/contract';
import type { Sql } from '../../database/database.ts';

export interface ToldEventRow {
  /** From 1 without gaps, for each partner. */
  readonly position: number;
  readonly body: string;
}

export interface EventPlace {
  /** 0 when there is no event. */
  readonly position: number;
  readonly number: number;
}

export interface EventFilter {
  readonly partnerGuid: string;
  /** HOOK-2: no event of another type is told. */
  readonly eventTypes: readonly EventType[];
}

/**
 * A writer locks the row until COMMIT, so all events up to the position are readable. Leaves out
 * partners without events.
 */
export async function findEventPlaces(
  sql: Sql,
  partnerGuids: readonly string[],
): Promise<ReadonlyMap<string, EventPlace>> {
  const rows = await sql<(EventPlace & { readonly partnerGuid: string })[]>`
    select partner.guid as "partnerGuid", coalesce(events.position, 0) as position,
      coalesce(extras.number, 0) as number
    from partner
    left join partner_counter events on events.partner_guid = partner.guid
    left join webhook_extra_position extras on extras.partner_guid = partner.guid
    where partner.guid = any(string_to_array(${partnerGuids.join(' ')}, ' ')::uuid[])`;
  return new Map(rows.map(({ partnerGuid, ...place }) => [partnerGuid, place]));
}

export async function findKeptCount(
  sql: Sql,
  partnerGuid: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from partner_event
    where partner_guid = ${partnerGuid} and position > ${after} and position <= ${upTo}`;
  return row.count;
}

export async function listToldEvents(
  sql: Sql,
  { partnerGuid, eventTypes }: EventFilter,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  limit: number,
): Promise<ToldEventRow[]> {
  return await sql<ToldEventRow[]>`
    select position, body from partner_event
    where partner_guid = ${partnerGuid} and position > ${after} and position <= ${upTo}
      and type = any(${eventTypes}::text[])
    order by position
    limit ${limit}`;
}
