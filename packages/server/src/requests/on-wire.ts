import type { LoggedRefusal, LoggedRequest, LoggedRequestDetails } from '@servery/contract';
import { isoTimestamp } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import type { LogDetailsRow, LoggedRefusalRow, LogRow } from './log-store.ts';

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
 * PAY-5: in production, a partner must not learn which rule a payment broke, or it could probe
 * cards. Only readers of the whole platform see the faults.
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
