import type { LoggedRequestDetails } from '@servery/contract';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Reach } from '../reach/reach.ts';
import { everywhere } from '../support/due-work.ts';
import { findNamedRestaurant } from './explain-store.ts';
import { findRequest, findTracedRequest } from './log-store.ts';
import { logDetailsOnWire } from './on-wire.ts';
import type { LogMark } from './replay/ports.ts';

export interface ReadDetailsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly isSandbox: boolean;
  /** Writes the requests that wait to be logged. */
  readonly flushLog: () => Promise<void>;
}

/** In a sandbox, people ask right after the answer. In production, the log must not be hurried. */
export async function writeWaiting({ isSandbox, flushLog }: ReadDetailsDeps): Promise<void> {
  if (isSandbox) await flushLog();
}

/** Null for a request that the log doesn't have, or that is out of reach. */
export async function readRequestDetails(
  deps: ReadDetailsDeps,
  requestId: string,
  reach: Reach,
): Promise<LoggedRequestDetails | null> {
  const { sql } = deps.database;
  let row = await findRequest(sql, requestId, reach);
  if (!row) {
    await writeWaiting(deps);
    row = await findRequest(sql, requestId, reach);
  }
  if (!row) return null;
  const { facts, restaurantGuid, partnerGuid } = row;
  const restaurant =
    facts && restaurantGuid ? await findNamedRestaurant(sql, restaurantGuid, partnerGuid) : null;
  return logDetailsOnWire(row, { reach, restaurant, isSandbox: deps.isSandbox });
}

/** Throws ApiError `notFound`. */
export async function requireRequestDetails(
  deps: ReadDetailsDeps,
  requestId: string,
  reach: Reach,
): Promise<LoggedRequestDetails> {
  const details = await readRequestDetails(deps, requestId, reach);
  if (details) return details;
  throw new ApiError(
    'notFound',
    "The log has no such request, or you don't have access to it: check the identifier. Old " +
      'requests are removed.',
  );
}

/** How far the clocks of two processes may be apart. */
const TRACE_TOLERANCE_MS = 60_000;

/** By its response, or if none came, by its trace. Null as long as the log does not have it. */
export async function findDetails(
  deps: ReadDetailsDeps,
  { requestId, traceparent, sentMs }: LogMark,
): Promise<LoggedRequestDetails | null> {
  const since = new Date(sentMs - TRACE_TOLERANCE_MS);
  const find = () => findTracedRequest(deps.database.sql, traceparent, since);
  let id = requestId ?? (await find());
  if (id === null) {
    await deps.flushLog();
    id = await find();
  }
  return id === null ? null : await readRequestDetails(deps, id, everywhere);
}
