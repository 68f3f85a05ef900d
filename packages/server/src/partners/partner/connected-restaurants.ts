import { backOfficePageSizeByDefault, type PaginatedResponse } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type HandlerOf, partnerOf, type RequestFor } from '../../http/operation.ts';
import { foreignToken, type PageTokens, pageTokens } from '../../http/paging.ts';
import type { Instant } from '../../http/timestamps.ts';
import { connectionRep } from '../connection-rep.ts';
import { type ConnectionPlace, listConnections } from '../store.ts';
import { readLastModified } from './last-modified.ts';

type Request = RequestFor<'partners.connectedRestaurants.list'>;

export interface ConnectedRestaurantsDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly connectedRestaurantsShape: 'object' | 'array';
}

export function connectedRestaurantsHandler({
  database,
  vault,
  connectedRestaurantsShape: shape,
}: ConnectedRestaurantsDeps): HandlerOf<'partners.connectedRestaurants.list'> {
  const tokens = pageTokens<ConnectionPosition>(vault, 'connectedRestaurants');
  return async (request) => {
    const partnerGuid = partnerOf(request.principal);
    const page = await readPage(database, tokens, { partnerGuid, ...request.query });
    return {
      json: shape === 'array' ? [page.response] : page.response,
      headers: { link: linkHeader(request, page) },
    };
  };
}

/** PTN-4: absolute links (RFC 8288) that keep `lastModified`. */
function linkHeader({ query: sent, baseUrl, operation }: Request, page: Page): string {
  const lastModified = sent.lastModified ?? page.modifiedAfter;
  const link = (relation: string, pageToken: string) => {
    const query = new URLSearchParams(lastModified === null ? {} : { lastModified });
    query.set('pageToken', pageToken);
    return `<${baseUrl}${operation.path}?${query}>; rel="${relation}"`;
  };
  const first = link('first', page.firstPageToken);
  const { nextPageToken } = page.response;
  return nextPageToken === null ? first : `${first}, ${link('next', nextPageToken)}`;
}

interface ConnectionPosition {
  readonly partnerGuid: string;
  readonly modifiedAfter: Instant | null;
  readonly pageSize: number;
  readonly pageNumber: number;
  /** Null before the first page. */
  readonly after: ConnectionPlace | null;
}

type PageRequest = Request['query'] & { readonly partnerGuid: string };

interface Page {
  readonly response: PaginatedResponse;
  readonly firstPageToken: string;
  readonly modifiedAfter: Instant | null;
}

/**
 * Throws 400 for a malformed `lastModified` (API-8), another partner's token, or a `pageSize` or
 * `lastModified` that differs from the token's (PTN-2, PTN-3).
 */
async function readPage(
  { sql }: Database,
  tokens: PageTokens<ConnectionPosition>,
  request: PageRequest,
): Promise<Page> {
  const position = openPosition(tokens, request) ?? firstPosition(request);
  const { partnerGuid, modifiedAfter, pageSize, pageNumber, after } = position;
  const { connections, totalCount } = await listConnections(
    sql,
    { partnerGuid, modifiedAfter },
    // One extra row tells whether there is a next page.
    { after, limit: pageSize + 1 },
  );
  const shown = connections.slice(0, pageSize);
  const last = connections.length > pageSize ? shown.at(-1) : undefined;
  const nextPageNum = last ? pageNumber + 1 : null;
  const next = last && {
    ...position,
    pageNumber: pageNumber + 1,
    after: { createdAtMs: last.createdAt.getTime(), restaurantGuid: last.restaurantGuid },
  };
  return {
    modifiedAfter,
    firstPageToken: tokens.seal({ ...position, pageNumber: 1, after: null }),
    response: {
      currentPageNum: pageNumber,
      results: shown.map(connectionRep),
      totalResultCount: totalCount,
      pageSize,
      currentPageToken: tokens.seal(position),
      nextPageToken: next ? tokens.seal(next) : null,
      totalCount,
      nextPageNum,
      // Connections may change between pages, but the last page is never before the next.
      lastPageNum: next ? Math.max(Math.ceil(totalCount / pageSize), next.pageNumber) : pageNumber,
      previousPageNum: pageNumber > 1 ? pageNumber - 1 : null,
    },
  };
}

function firstPosition(request: PageRequest): ConnectionPosition {
  return {
    partnerGuid: request.partnerGuid,
    modifiedAfter: readLastModified(request.lastModified),
    pageSize: request.pageSize ?? backOfficePageSizeByDefault,
    pageNumber: 1,
    after: null,
  };
}

function openPosition(
  tokens: PageTokens<ConnectionPosition>,
  request: PageRequest,
): ConnectionPosition | null {
  if (request.pageToken === undefined) return null;
  const position = tokens.open(request.pageToken);
  if (position.partnerGuid !== request.partnerGuid) throw foreignToken();
  const { pageSize = position.pageSize } = request;
  if (pageSize !== position.pageSize) {
    throw contradicts('pageSize', `${position.pageSize}`);
  }
  const modifiedAfter = readLastModified(request.lastModified);
  if (modifiedAfter !== null && modifiedAfter !== position.modifiedAfter) {
    throw contradicts('lastModified', position.modifiedAfter ?? 'none');
  }
  return position;
}

function contradicts(name: string, known: string): ApiError {
  return new ApiError(
    'badRequest',
    `${name} is not the one that pageToken was issued for (${known}): leave it out, or leave ` +
      'pageToken out to start at the first page.',
  );
}
