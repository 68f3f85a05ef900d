import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import {
  type ClientRequest,
  type HandlerOf,
  type Principal,
  partnerOf,
} from '../../http/operation.ts';
import { placeOf, readCursor } from '../events/cursor.ts';
import { upsertEventReaders } from '../events/event-reader-store.ts';
import type { EventFilter } from '../events/event-store.ts';
import { countMissed, newestPlace } from '../events/read-events.ts';
import type { EventStreams } from '../events/streams.ts';
import { readableTypes, typesFor } from '../events/types-for.ts';

export interface StreamEventsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly eventStreams: EventStreams;
  readonly authenticate: (header: string | undefined, nowMs: number) => Promise<Principal>;
}

export const streamEventsHandler =
  (deps: StreamEventsDeps): HandlerOf<'platform.events.stream'> =>
  async ({ principal, query: { after, eventType }, headers }) => {
    const { sql } = deps.database;
    const { clientId } = principal;
    const partnerGuid = partnerOf(principal);
    // After a broken connection, the reader repeats its address and adds its place.
    const resumed = readCursor('Last-Event-ID', headers['last-event-id']?.toString());
    const cursor = resumed ?? readCursor('after', after);
    await upsertEventReaders(sql, [clientId], deps.realClock.nowMs());
    const newest = await newestPlace(sql, partnerGuid);
    const from = cursor ? placeOf(resumed ? 'Last-Event-ID' : 'after', cursor, newest) : newest;
    const passed = { after: from.position, upTo: newest.position };
    const missedCount = await countMissed(sql, partnerGuid, passed);
    const eventTypes = readableTypes(principal, eventType);
    const mayRead = () => stillMayRead(deps, headers, { partnerGuid, eventTypes });
    const asked = { partnerGuid, eventTypes, clientId, from, missedCount, mayRead };
    return { stream: deps.eventStreams.open(asked) };
  };

/** AUTH-9: the token must still open a new stream of these types. */
async function stillMayRead(
  { authenticate, clock }: StreamEventsDeps,
  headers: ClientRequest['headers'],
  { partnerGuid, eventTypes }: EventFilter,
): Promise<boolean> {
  try {
    const principal = await authenticate(headers.authorization, clock.nowMs());
    const types = typesFor(principal.scopes);
    return (
      principal.partnerGuid === partnerGuid && eventTypes.every((type) => types.includes(type))
    );
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
