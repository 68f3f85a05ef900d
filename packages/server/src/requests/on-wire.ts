import type { LoggedRequest, LoggedRequestDetails } from '@servery/contract';
import { isoTimestamp } from '../http/timestamps.ts';
import type { LogDetailsRow, LogRow } from './log-store.ts';

/** A kept request as lists and streams show it. */
export function logRowOnWire(row: LogRow): LoggedRequest {
  const { refusal } = row;
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
    refusal: refusal && { ...refusal, reach: refusal.reach && reachOnWire(refusal.reach) },
  };
}

/** A kept request with what was sent and answered. */
export function logDetailsOnWire(row: LogDetailsRow): LoggedRequestDetails {
  const { query, requestHeaders, requestBody, answerHeaders, answerBody } = row;
  return {
    ...logRowOnWire(row),
    query: { ...query },
    requestHeaders: { ...requestHeaders },
    requestBody,
    answerHeaders: { ...answerHeaders },
    answerBody,
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
