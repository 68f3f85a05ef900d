import {
  backOfficePageSizeByDefault,
  type PaginatedResponse,
  type RequestOf,
} from '@servery/contract';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { foreignToken, type PageTokens } from '../../http/paging.ts';
import type { Instant } from '../../http/timestamps.ts';
import { connectionRep } from '../connection-rep.ts';
import { type ConnectionPlace, listConnections } from '../store.ts';
import { readLastModified } from './last-modified.ts';

export interface ConnectionPosition {
  readonly partnerGuid: string;
  readonly modifiedAfter: Instant | null;
  readonly pageSize: number;
  readonly pageNumber: number;
  /** Null before the first page. */
  readonly after: ConnectionPlace | null;
}

export interface ReadPageDeps {
  readonly database: Database;
  readonly tokens: PageTokens<ConnectionPosition>;
}

type Query = RequestOf<'partners.connectedRestaurants.list'>['query'];

export type PageRequest = Query & { readonly partnerGuid: string };

export interface Page {
  readonly response: PaginatedResponse;
  readonly firstPageToken: string;
  readonly modifiedAfter: Instant | null;
}

/**
 * Throws 400 for a malformed `lastModified` (API-8), another partner's token, or a `pageSize` or
 * `lastModified` that differs from the token's (PTN-2, PTN-3).
 */
export async function readPage(deps: ReadPageDeps, request: PageRequest): Promise<Page> {
  const position = openPosition(deps, request) ?? firstPosition(request);
  const { partnerGuid, modifiedAfter, pageSize, pageNumber, after } = position;
  const { connections, totalCount } = await listConnections(
    deps.database.sql,
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
    firstPageToken: deps.tokens.seal({ ...position, pageNumber: 1, after: null }),
    response: {
      currentPageNum: pageNumber,
      results: shown.map(connectionRep),
      totalResultCount: totalCount,
      pageSize,
      currentPageToken: deps.tokens.seal(position),
      nextPageToken: next ? deps.tokens.seal(next) : null,
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

function openPosition(deps: ReadPageDeps, request: PageRequest): ConnectionPosition | null {
  if (request.pageToken === undefined) return null;
  const position = deps.tokens.open(request.pageToken);
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
    `${name} is not the one that pageToken was given for (${known}): leave it out beside the ` +
      'token, or leave pageToken out to start at the first page.',
  );
}
