import type { LoggedRequestDetails } from '@servery/contract';
import { type DocumentPath, pathText } from '../../document/faults.ts';
import { isInstant } from './instants.ts';
import { WHOLE_BODY } from './places.ts';
import type { Rebuilt } from './rebuild.ts';

interface SentLater {
  readonly logged: Pick<LoggedRequestDetails, 'at'>;
  readonly rebuilt: Pick<Rebuilt, 'body' | 'card'>;
  /** The places that the caller gave values for. */
  readonly places: readonly string[];
}

const NAMED = 3;
const MINUTE_MS = 60_000;

/**
 * Names the dates that stay when the clock is elsewhere. Only the caller knows what is right: noon
 * may mean lunch, or an hour from then. None, or one sentence.
 */
export function noteOfDates(
  { logged, rebuilt: { body, card }, places: given }: SentLater,
  nowMs: number,
): string[] {
  const isGiven = (place: string) => given.some((one) => place.startsWith(one));
  // The one date of a payment by card has been moved.
  const isNone = card !== null || given.includes(WHOLE_BODY);
  const places = isNone ? [] : placesOfInstants(body).filter((place) => !isGiven(place));
  const isElsewhere = Math.abs(nowMs - Date.parse(logged.at)) >= MINUTE_MS;
  if (places.length === 0 || !isElsewhere) return [];
  const more = places.length > NAMED ? ', …' : '';
  return [
    `Dates of the body were sent as they were: ${places.slice(0, NAMED).join(', ')}${more}. The ` +
      `clock was at ${logged.at} for the logged request, and at ${new Date(nowMs).toISOString()} ` +
      'for the new one. To change a date, set it.',
  ];
}

function placesOfInstants(document: unknown, path: DocumentPath = []): string[] {
  if (isInstant(document)) return [pathText(path)];
  if (typeof document !== 'object' || document === null) return [];
  const isList = Array.isArray(document);
  return Object.entries(document).flatMap(([name, inner]) =>
    placesOfInstants(inner, [...path, isList ? Number(name) : name]),
  );
}
