import type { EventPage, PartnerEvent } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import { cursorText, type EventCursor, placeOf } from './cursor.ts';
import {
  type EventFilter,
  type EventPlace,
  findEventPlaces,
  findKeptCount,
  listToldEvents,
} from './event-store.ts';

const NOTHING_YET: EventPlace = { position: 0, number: 0 };

/** How far the events of a partner go. */
export async function newestPlace(sql: Sql, partnerGuid: string): Promise<EventPlace> {
  return (await findEventPlaces(sql, [partnerGuid])).get(partnerGuid) ?? NOTHING_YET;
}

/**
 * How many events behind `after` and up to `upTo` are kept no more (PTN-7): a reader is told what it
 * missed. An old event that is still to be delivered is kept while others around it are gone, so
 * that each one counts.
 */
export async function countMissed(
  sql: Sql,
  partnerGuid: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<number> {
  if (upTo <= after) return 0;
  // Positions have no gaps when they are given out (decision 0026).
  return Math.max(0, upTo - after - (await findKeptCount(sql, partnerGuid, { after, upTo })));
}

/**
 * Reads the events of a partner behind a cursor, or the oldest that are kept without one (PTN-7).
 * Throws ApiError `badRequest` for a cursor of another platform.
 */
export async function readEventPage(
  sql: Sql,
  filter: EventFilter,
  cursor: EventCursor | null,
  pageSize: number,
): Promise<EventPage> {
  // Read before the events: what is committed meanwhile comes on the next page.
  const newest = await newestPlace(sql, filter.partnerGuid);
  const place = cursor && placeOf('after', cursor, newest);
  const after = place?.position ?? 0;
  const between = { after, upTo: newest.position };
  const rows = await listToldEvents(sql, filter, between, pageSize + 1);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  // Events that the filter passed over are behind the reader, too.
  const position = last ? last.position : newest.position;
  const passed = { after, upTo: position };
  const missedCount = place ? await countMissed(sql, filter.partnerGuid, passed) : 0;
  return {
    results: shown.map((row) => ({
      position: row.position,
      event: JSON.parse(row.body) as PartnerEvent,
    })),
    nextCursor: cursorText({ position, number: place?.number ?? newest.number }),
    hasMore: last !== undefined,
    missedCount,
  };
}
