import { paymentStates } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../../http/errors.ts';
import {
  type ListPosition,
  type ListQuery,
  readInstantParameter,
  readListQuery,
  readPageSize,
} from '../../../http/list-query.ts';
import type { BackOfficeRequest } from '../../../http/operation.ts';
import type { PageTokens } from '../../../http/paging.ts';
import type { Reach } from '../../../reach/reach.ts';
import { isClientId } from '../../../text/client-id.ts';
import type { PaymentState } from '../../life/lifecycle.ts';
import type { PaymentFilter, PaymentPlace } from '../../life/list-store.ts';

/** The query parameters that say what a list holds. */
const parameters = [
  'merchantUuid',
  'state',
  'clientId',
  'createdFrom',
  'createdTo',
  'dueBefore',
  'pageSize',
] as const;

type Name = (typeof parameters)[number];
type Query = ListQuery<Name>;

/** What a page token of the list of payments names. */
export type PaymentListPosition = ListPosition<Name, PaymentPlace>;

/** A list that was asked for. */
export interface ListRequest {
  readonly query: Query;
  readonly filter: PaymentFilter;
  readonly pageSize: number;
  readonly after: PaymentPlace | null;
}

/**
 * Reads the query of a list of payments. A page token stands for the whole query; what is sent
 * beside it must be the same. Throws ApiError `badRequest` that names the parameter.
 */
export function readListRequest(
  { query: sent, reach }: BackOfficeRequest,
  tokens: PageTokens<PaymentListPosition>,
): ListRequest {
  const { query, after } = readListQuery(parameters, sent, tokens);
  return {
    query,
    filter: readFilter(query, reach),
    pageSize: readPageSize(query.pageSize),
    after,
  };
}

function readFilter(query: Query, reach: Reach): PaymentFilter {
  return {
    reach,
    merchantGuid: readMerchant(query.merchantUuid),
    states: readStates(query.state),
    clientId: readClientId(query.clientId),
    createdFrom: readInstantParameter('createdFrom', query.createdFrom),
    createdTo: readInstantParameter('createdTo', query.createdTo),
    dueBefore: readInstantParameter('dueBefore', query.dueBefore),
  };
}

function readMerchant(text: string | undefined): string | null {
  if (text === undefined) return null;
  const guid = parseGuid(text);
  if (guid !== null) return guid;
  throw new ApiError('badRequest', 'merchantUuid is not a GUID: send the GUID of a restaurant.');
}

function readClientId(text: string | undefined): string | null {
  if (text === undefined || isClientId(text)) return text ?? null;
  throw new ApiError('badRequest', 'clientId is not one that the platform gives out: check it.');
}

function readStates(text: string | undefined): readonly PaymentState[] | null {
  if (text === undefined) return null;
  const words = new Set(text.split(','));
  return [...words].map((word) => {
    const state = paymentStates.find((candidate) => candidate === word);
    if (state) return state;
    throw new ApiError(
      'badRequest',
      `state has ${JSON.stringify(word.slice(0, 50))}: send one or more of ` +
        `${paymentStates.join(', ')}, separated by commas.`,
    );
  });
}
