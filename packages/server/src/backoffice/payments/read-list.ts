import { backOfficePageSizeAtMost, paymentStates } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { ClientRequest } from '../../http/operation.ts';
import type { PageTokens } from '../../http/paging.ts';
import type { PaymentState } from '../../payments/lifecycle.ts';
import type { PaymentFilter, PaymentPlace } from '../../payments/list-store.ts';
import { parseGuid } from '../../support/ids.ts';
import { parseInstant } from '../group-document/rules/instant.ts';

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

type Query = Readonly<Partial<Record<(typeof parameters)[number], string>>>;

/** What a page token names: the list as asked for, and the last payment of the page before. */
export interface ListPosition {
  readonly query: Query;
  readonly after: PaymentPlace;
}

/** A list that was asked for. */
export interface ListRequest {
  readonly query: Query;
  readonly filter: PaymentFilter;
  readonly pageSize: number;
  readonly after: PaymentPlace | null;
}

const DEFAULT_PAGE_SIZE = 100;

/**
 * Reads the query of a list of payments. A page token stands for the whole query; what is sent
 * beside it must be the same. Throws ApiError `badRequest` that names the parameter.
 */
export function readListRequest(
  { query, principal }: ClientRequest,
  tokens: PageTokens<ListPosition>,
): ListRequest {
  const given = Object.fromEntries(
    parameters.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as Query;
  const position = query.pageToken ? tokens.open(query.pageToken) : null;
  const asked = position ? continued(given, position.query) : given;
  return {
    query: asked,
    filter: readFilter(asked, principal.managementGroupGuid),
    pageSize: readPageSize(asked.pageSize),
    after: position?.after ?? null,
  };
}

function continued(given: Query, before: Query): Query {
  for (const name of parameters) {
    if (given[name] !== undefined && given[name] !== before[name]) {
      throw new ApiError(
        'badRequest',
        `${name} is not what the pageToken was given for: leave it out, or send it unchanged.`,
      );
    }
  }
  return before;
}

function readFilter(query: Query, managementGroupGuid: string | null): PaymentFilter {
  return {
    managementGroupGuid,
    merchantGuid: readMerchant(query.merchantUuid),
    states: readStates(query.state),
    clientId: query.clientId ?? null,
    createdFrom: readInstant('createdFrom', query.createdFrom),
    createdTo: readInstant('createdTo', query.createdTo),
    dueBefore: readInstant('dueBefore', query.dueBefore),
  };
}

function readMerchant(text: string | undefined): string | null {
  if (text === undefined) return null;
  const guid = parseGuid(text);
  if (guid !== null) return guid;
  throw new ApiError('badRequest', 'merchantUuid is not a GUID: send the GUID of a restaurant.');
}

function readStates(text: string | undefined): readonly PaymentState[] | null {
  if (text === undefined) return null;
  return text.split(',').map((word) => {
    const state = paymentStates.find((candidate) => candidate === word);
    if (state) return state;
    throw new ApiError(
      'badRequest',
      `state has ${JSON.stringify(word.slice(0, 50))}: send one or more of ` +
        `${paymentStates.join(', ')}, separated by commas.`,
    );
  });
}

function readInstant(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  // A "+" that was not percent-encoded reaches us as the blank that it means in a query string.
  const instantMs = parseInstant(text.replace(' ', '+'));
  if (instantMs !== null) return Temporal.Instant.fromEpochMilliseconds(instantMs).toString();
  throw new ApiError(
    'badRequest',
    `${name} is not an instant: send one such as 2026-01-31T18:30:00.000Z.`,
  );
}

function readPageSize(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PAGE_SIZE;
  const pageSize = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (pageSize >= 1 && pageSize <= backOfficePageSizeAtMost) return pageSize;
  throw new ApiError(
    'badRequest',
    `pageSize must be a whole number from 1 to ${backOfficePageSizeAtMost}.`,
  );
}
