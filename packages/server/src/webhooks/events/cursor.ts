import { ApiError } from '../../http/errors.ts';
import type { EventPlace } from './event-store.ts';

const CURSOR = /^(\d{1,15})(?:\.(\d{1,15}))?$/;

/** Where a reader of events is; without a number it wants nothing that was told again before. */
export interface EventCursor {
  readonly position: number;
  readonly number: number | null;
}

/**
 * Reads a cursor: a position, or as it was given out, with the number of what was told beside the
 * events. `name` says where it stood. Throws ApiError `badRequest` for text that is none.
 */
export function readCursor(name: string, text: string | undefined): EventCursor | null {
  if (text === undefined || text === '') return null;
  const [, position, number] = CURSOR.exec(text) ?? [];
  if (position !== undefined) {
    return { position: Number(position), number: number === undefined ? null : Number(number) };
  }
  throw new ApiError('badRequest', `${name} is no cursor: send one as it was given out.`);
}

/** A cursor as readers get it. */
export function cursorText({ position, number }: EventPlace): string {
  return `${position}.${number}`;
}

/**
 * The place that a cursor names. Throws ApiError `badRequest` for one that is ahead of all events:
 * it is from another platform, and its reader would miss events in silence.
 */
export function placeOf(
  name: string,
  { position, number }: EventCursor,
  newest: EventPlace,
): EventPlace {
  const place = { position, number: number ?? newest.number };
  if (place.position <= newest.position && place.number <= newest.number) return place;
  throw new ApiError(
    'badRequest',
    `${name} is ahead of the newest event, ${cursorText(newest)}: it was given out by another ` +
      'platform, or by this one before its data was reset. Leave it out, or send 0.',
  );
}
