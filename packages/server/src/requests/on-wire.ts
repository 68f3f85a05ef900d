import type { LoggedRequest, LoggedRequestDetails } from '@servery/contract';
import type { Reach } from '../reach/reach.ts';
import { withInstantTexts } from '../text/instant.ts';
import type { LogDetailsRow, LogRow } from './log-store.ts';

/**
 * PAY-5: in production, a partner must not learn which rule a payment broke, or it could probe
 * cards. Only readers of the whole platform see the faults.
 */
export function logRowOnWire(
  { loggedAt, refusal, ...row }: LogRow,
  { isPlatform }: Reach,
): LoggedRequest {
  return {
    ...withInstantTexts(row),
    refusal: refusal && { ...refusal, faults: isPlatform ? refusal.faults : [] },
  };
}

export function logDetailsOnWire(
  { query, requestHeaders, requestBody, answerHeaders, answerBody, ...row }: LogDetailsRow,
  reach: Reach,
): LoggedRequestDetails {
  const details = { query, requestHeaders, requestBody, answerHeaders, answerBody };
  return { ...logRowOnWire(row, reach), ...details };
}
