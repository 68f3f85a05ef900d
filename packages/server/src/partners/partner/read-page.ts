import type { PaginatedResponse } from '@servery/contract';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { foreignToken, type PageTokens } from '../../http/paging.ts';
import { type Instant, parseTimestamp } from '../../http/timestamps.ts';
import { connectionRep } from '../connection-rep.ts';
import { type ConnectionPlace, listConnections } from '../store.ts';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 200;

/** What a page token of the connected restaurants names (decisions PTN-3). */
export interface ConnectionPosition {
  readonly partnerGuid: string;
  readonly modifiedAfter: Instant | null;
  readonly pageSize: number;
  readonly pageNumber: number;
  /** The last connection of the page before; null before the first page. */
  readonly after: ConnectionPlace | null;
}

/** What reading a page leans on. */
export interface ReadPageDeps {
  readonly database: Database;
  readonly tokens: PageTokens<ConnectionPosition>;
}

/** Which page: the query parameters are as they came. */
export interface PageRequest {
  readonly partnerGuid: string;
  readonly pageToken: string | undefined;
  readonly pageSize: string | undefined;
  readonly lastModified: string | undefined;
}

/** A page in wire form, and what the Link header needs beside it. */
export interface Page {
  readonly response: PaginatedResponse;
  readonly firstPageToken: string;
  readonly modifiedAfter: Instant | null;
}

/**
 * Reads one page of a partner's connected restaurants, by creation and guid. Throws 400 for a
 * malformed `lastModified` (API-8) or `pageSize`, for a token that was not given to this partner, and
 * for a `pageSize` or `lastModified` beside the token that is not the token's (decisions PTN-2, PTN-3).
 */
export async function readPage(deps: ReadPageDeps, request: PageRequest): Promise<Page> {
  const position = openPosition(deps, request) ?? firstPosition(request);
  const { partnerGuid, modifiedAfter, pageSize, pageNumber, after } = position;
  const { connections, totalCount } = await listConnections(
    deps.database.sql,
    { partnerGuid, modifiedAfter },
    // One more than the page holds tells whether there is a next page.
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
      // Connections may come and go between two pages; the last page is never before a next one.
      lastPageNum: next ? Math.max(Math.ceil(totalCount / pageSize), next.pageNumber) : pageNumber,
      previousPageNum: pageNumber > 1 ? pageNumber - 1 : null,
    },
  };
}

/** The instant of a `lastModified` parameter, which may be a bare date here; null when absent. */
export function readLastModified(lastModified: string | undefined): Instant | null {
  if (lastModified === undefined) return null;
  return parseTimestamp(lastModified, { name: 'lastModified', bareDate: true });
}

function firstPosition(request: PageRequest): ConnectionPosition {
  return {
    partnerGuid: request.partnerGuid,
    modifiedAfter: readLastModified(request.lastModified),
    pageSize: readPageSize(request.pageSize) ?? DEFAULT_PAGE_SIZE,
    pageNumber: 1,
    after: null,
  };
}

function openPosition(deps: ReadPageDeps, request: PageRequest): ConnectionPosition | null {
  if (request.pageToken === undefined || request.pageToken === '') return null;
  const position = deps.tokens.open(request.pageToken);
  if (position.partnerGuid !== request.partnerGuid) throw foreignToken();
  const pageSize = readPageSize(request.pageSize);
  if (pageSize !== null && pageSize !== position.pageSize) {
    throw contradicts('pageSize', `${position.pageSize}`);
  }
  const modifiedAfter = readLastModified(request.lastModified);
  if (modifiedAfter !== null && modifiedAfter !== position.modifiedAfter) {
    throw contradicts('lastModified', position.modifiedAfter ?? 'none');
  }
  return position;
}

function readPageSize(text: string | undefined): number | null {
  if (text === undefined) return null;
  const pageSize = /^\d+$/.test(text) ? Number(text) : 0;
  if (pageSize >= 1 && pageSize <= MAX_PAGE_SIZE) return pageSize;
  const shown = JSON.stringify(text.slice(0, 50));
  const range = `send a whole number from 1 to ${MAX_PAGE_SIZE}`;
  throw new ApiError('badRequest', `pageSize ${shown} is not one that can be had: ${range}.`);
}

function contradicts(name: string, known: string): ApiError {
  return new ApiError(
    'badRequest',
    `${name} is not the one that pageToken was given for (${known}): leave it out beside the ` +
      'token, or leave pageToken out to start at the first page.',
  );
}
