import type { LoggedRefusal, LoggedRequest, LoggedRequestDetails } from '@servery/contract';
import { isoTimestamp } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import type { LogDetailsRow, LoggedRefusalRow, LogRow } from './log-store.ts';

/** A kept request as lists and streams show it to a reader of that reach. */
export function logRowOnWire(row: LogRow, reach: Reach): LoggedRequest {
  return {
    requestId: row.requestId,
    at: isoTimestamp(row.at),
    realAt: isoTimestamp(row.realAt),
    operation: row.operation,
    method: row.method,
    path: row.path,
    status: row.status,
    durationMs: row.durationMs,
    clientId: row.clientId,
    personGuid: row.personGuid,
    restaurantGuid: row.restaurantGuid,
    remoteAddress: row.remoteAddress,
    refusal: row.refusal && refusalOnWire(row.refusal, reach),
  };
}

/** A kept request with what was sent and answered. */
export function logDetailsOnWire(row: LogDetailsRow, reach: Reach): LoggedRequestDetails {
  const { query, requestHeaders, requestBody, answerHeaders, answerBody } = row;
  return {
    ...logRowOnWire(row, reach),
    query: { ...query },
    requestHeaders: { ...requestHeaders },
    requestBody,
    answerHeaders: { ...answerHeaders },
    answerBody,
  };
}

/**
 * In production a partner is not told which rule a payment broke, so that nobody can try out what a
 * card holds (PAY-5). The faults are for those who read the log of the whole platform.
 */
function refusalOnWire(refusal: LoggedRefusalRow, { isPlatform }: Reach): LoggedRefusal {
  const { check, scope, reach, message, faults } = refusal;
  return {
    ...{ check, scope, message },
    faults: isPlatform ? faults.map(({ field, rule }) => ({ field, rule })) : [],
    reach: reach && reachOnWire(reach),
  };
}

function reachOnWire({
  isPlatform,
  ...places
}: NonNullable<NonNullable<LogRow['refusal']>['reach']>) {
  const { groupGuids, restaurantGuids, partnerGuids } = places;
  return {
    isPlatform,
    groupGuids: [...groupGuids],
    restaurantGuids: [...restaurantGuids],
    partnerGuids: [...partnerGuids],
  };
}
