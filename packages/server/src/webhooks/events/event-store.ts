import type { Sql } from '../../database/database.ts';
import type { PartnerEventType } from './event-types.ts';

/** An event with the body that partners are told it by, which never changes. */
export interface ToldEventRow {
  /** Among the events of the partner, from 1 without gaps. */
  readonly position: number;
  readonly body: string;
}

/** How far a partner's events go. */
export interface EventPlace {
  /** The newest event; 0 when there never was one. */
  readonly position: number;
  /** The newest of what is told beside the events; 0 when there never was any. */
  readonly number: number;
}

/** Which events are read. */
export interface EventFilter {
  readonly partnerGuid: string;
  /** All types when absent. */
  readonly eventType?: PartnerEventType;
}

/**
 * Finds how far the events of partners go, by the partner; one who never had an event is left out.
 * A writer holds the row until COMMIT: all events up to the position can be read.
 */
export async function findEventPlaces(
  sql: Sql,
  partnerGuids: readonly string[],
): Promise<ReadonlyMap<string, EventPlace>> {
  const rows = await sql<(EventPlace & { readonly partnerGuid: string })[]>`
    select partner.guid as "partnerGuid", coalesce(events.position, 0) as position,
      coalesce(extras.number, 0) as number
    from partner
    left join partner_event_position events on events.partner_guid = partner.guid
    left join webhook_extra_position extras on extras.partner_guid = partner.guid
    where partner.guid = any(string_to_array(${partnerGuids.join(' ')}, ' ')::uuid[])`;
  return new Map(rows.map(({ partnerGuid, ...place }) => [partnerGuid, place]));
}

/** Counts the events behind `after` and up to `upTo` that are kept. */
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

/** Lists events behind `after` and up to `upTo`, in the order of their positions. */
export async function listToldEvents(
  sql: Sql,
  { partnerGuid, eventType }: EventFilter,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  limit: number,
): Promise<ToldEventRow[]> {
  return await sql<ToldEventRow[]>`
    select position, body from partner_event
    where partner_guid = ${partnerGuid} and position > ${after} and position <= ${upTo}
      ${eventType === undefined ? sql`` : sql`and type = ${eventType}`}
    order by position
    limit ${limit}`;
}
