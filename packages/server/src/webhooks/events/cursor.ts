import { ApiError } from '../../http/errors.ts';
import type { EventPlace } from './event-store.ts';

const CURSOR = /^(\d{1,15})(?:\.(\d{1,15}))?$/;

/** Without a number, the reader wants no earlier replays or test events. */
export interface EventCursor {
  readonly position: number;
  readonly number: number | null;
}

/** `name` is the parameter. Throws ApiError `badRequest` for malformed text. */
export function readCursor(name: string, text: string | undefined): EventCursor | null {
  if (text === undefined || text === '') return null;
  const [, position, number] = CURSOR.exec(text) ?? [];
  if (position !== undefined) {
    return { position: Number(position), number: number === undefined ? null : Number(number) };
  }
  throw new ApiError('badRequest', `${name} is not a cursor: send one from a response, unchanged.`);
}

export function cursorText({ position, number }: EventPlace): string {
  return `${position}.${number}`;
}

/**
 * Throws ApiError `badRequest` for a cursor ahead of all events: it comes from another platform,
 * and its reader would silently miss events.
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
