import type { EventPage, WebhookEvent } from '@servery/contract';
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

export async function newestPlace(sql: Sql, partnerGuid: string): Promise<EventPlace> {
  return (await findEventPlaces(sql, [partnerGuid])).get(partnerGuid) ?? NOTHING_YET;
}

/** PTN-7: readers learn what they missed. Undelivered events outlive newer ones, so count each. */
export async function countMissed(
  sql: Sql,
  partnerGuid: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<number> {
  if (upTo <= after) return 0;
  // Positions start without gaps (decision 0026).
  return Math.max(0, upTo - after - (await findKeptCount(sql, partnerGuid, { after, upTo })));
}

/**
 * PTN-7: without a cursor, starts at the oldest kept event. Throws ApiError `badRequest` for a
 * cursor of another platform.
 */
export async function readEventPage(
  sql: Sql,
  filter: EventFilter,
  cursor: EventCursor | null,
  pageSize: number,
): Promise<EventPage> {
  // Read before the events: later commits come on the next page.
  const newest = await newestPlace(sql, filter.partnerGuid);
  const place = cursor && placeOf('after', cursor, newest);
  const after = place?.position ?? 0;
  const between = { after, upTo: newest.position };
  const rows = await listToldEvents(sql, filter, between, pageSize + 1);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  // Moves the cursor past events that the filter skipped.
  const position = last ? last.position : newest.position;
  const passed = { after, upTo: position };
  const missedCount = place ? await countMissed(sql, filter.partnerGuid, passed) : 0;
  return {
    results: shown.map((row) => ({
      position: row.position,
      event: JSON.parse(row.body) as WebhookEvent,
    })),
    nextCursor: cursorText({ position, number: place?.number ?? newest.number }),
    hasMore: last !== undefined,
    missedCount,
  };
}
