import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { ClientRequest, OperationHandlers, Principal } from '../../http/operation.ts';
import { placeOf, readCursor, readEventType } from '../events/cursor.ts';
import {
  countMissed,
  newestPlace,
  readEventPage,
  readEventPageSize,
} from '../events/read-events.ts';
import type { EventStreams } from '../events/streams.ts';

/** What reading the events of a partner leans on. */
export interface EventRouteDeps {
  readonly database: Pick<Database, 'sql'>;
  /** The environment's: tokens end by it. */
  readonly clock: Clock;
  readonly eventStreams: EventStreams;
  /** Gives the account of an `Authorization` header as it is now, or throws. */
  readonly authenticate: (header: string | undefined, nowMs: number) => Promise<Principal>;
}

/** What a partner reads of the events that it is told by webhook (PTN-7). */
export function eventHandlers(
  deps: EventRouteDeps,
): Pick<OperationHandlers, 'platform.events.list' | 'platform.events.stream'> {
  const { sql } = deps.database;
  return {
    'platform.events.list': async (request) => {
      const { query } = request;
      const filter = {
        partnerGuid: partnerOf(request.principal),
        eventType: readEventType(query.eventType),
      };
      const pageSize = readEventPageSize(query.pageSize);
      const cursor = readCursor('after', query.after);
      return { json: await readEventPage(sql, filter, cursor, pageSize) };
    },
    'platform.events.stream': async (request) => {
      const { principal, query, headers } = request;
      const partnerGuid = partnerOf(principal);
      const eventType = readEventType(query.eventType);
      // A reader whose connection broke repeats its address, and says how far it came.
      const resumed = readCursor('Last-Event-ID', headers['last-event-id']?.toString());
      const cursor = resumed ?? readCursor('after', query.after);
      const newest = await newestPlace(sql, partnerGuid);
      const name = resumed ? 'Last-Event-ID' : 'after';
      const from = cursor ? placeOf(name, cursor, newest) : newest;
      const passed = { after: from.position, upTo: newest.position };
      const missedCount = await countMissed(sql, partnerGuid, passed);
      const { clientId } = principal;
      const mayRead = () => stillMayRead(deps, request, partnerGuid);
      const asked = { partnerGuid, eventType, clientId, from, missedCount, mayRead };
      return { stream: deps.eventStreams.open(asked) };
    },
  };
}

/** The partner of the account: the contract lets no other accounts in (AUTH-7, PTN-6). */
function partnerOf({ partnerGuid }: Principal): string {
  if (partnerGuid === null) throw new Error('an account without a partner was let in');
  return partnerGuid;
}

/** Whether the token that a stream was opened with would open it now (AUTH-9). */
async function stillMayRead(
  { authenticate, clock }: EventRouteDeps,
  { headers }: ClientRequest,
  partnerGuid: string,
): Promise<boolean> {
  try {
    const principal = await authenticate(headers.authorization, clock.nowMs());
    return principal.partnerGuid === partnerGuid;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
