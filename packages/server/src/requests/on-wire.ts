import type { LoggedRequest, LoggedRequestDetails } from '@servery/contract';
import type { Reach } from '../reach/reach.ts';
import { withInstantTexts } from '../text/instant.ts';
import { explain } from './explain.ts';
import type { NamedRestaurant } from './explain-store.ts';
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

export interface DetailsContext {
  readonly reach: Reach;
  readonly restaurant: NamedRestaurant | null;
  readonly isSandbox: boolean;
}

export function logDetailsOnWire(
  row: LogDetailsRow,
  { reach, restaurant, isSandbox }: DetailsContext,
): LoggedRequestDetails {
  const { query, requestHeaders, requestBody, answerHeaders, answerBody } = row;
  const { facts, partnerGuid: _partner, ...summary } = row;
  const details = { query, requestHeaders, requestBody, answerHeaders, answerBody };
  const tellsAll = reach.isPlatform || isSandbox;
  const request = logRowOnWire(summary, { ...reach, isPlatform: tellsAll });
  const explanation = facts && explain({ ...request, facts }, { restaurant, tellsAll });
  return { ...logRowOnWire(summary, reach), ...details, explanation };
}
