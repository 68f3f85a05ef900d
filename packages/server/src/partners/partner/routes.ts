import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { ClientRequest, OperationHandlers } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { connectionRep } from '../connection-rep.ts';
import { listConnections } from '../store.ts';
import { type ConnectionPosition, type Page, readLastModified, readPage } from './read-page.ts';

/** What the partners interface needs from outside. */
export interface PartnerDeps {
  readonly database: Database;
  /** Authenticates page tokens. */
  readonly vault: Vault;
  /** The switch `wire.connectedRestaurantsShape` (decisions PTN-1). */
  readonly connectedRestaurantsShape: 'object' | 'array';
}

/** The two operations of the partners interface (decisions PTN-1–PTN-6). */
export function partnerHandlers(
  deps: PartnerDeps,
): Pick<OperationHandlers, 'partners.restaurants.list' | 'partners.connectedRestaurants.list'> {
  const tokens = pageTokens<ConnectionPosition>(deps.vault, 'connectedRestaurants');
  const pageDeps = { database: deps.database, tokens };
  return {
    'partners.restaurants.list': async (request) => {
      const partnerGuid = partnerOf(request);
      const modifiedAfter = readLastModified(request.query.lastModified);
      const filter = { partnerGuid, modifiedAfter };
      const everything = { after: null, limit: null };
      const { connections } = await listConnections(deps.database.sql, filter, everything);
      return { json: connections.map(connectionRep) };
    },
    'partners.connectedRestaurants.list': async (request) => {
      const partnerGuid = partnerOf(request);
      const { pageToken, pageSize, lastModified } = request.query;
      const page = await readPage(pageDeps, { partnerGuid, pageToken, pageSize, lastModified });
      return {
        json: deps.connectedRestaurantsShape === 'array' ? [page.response] : page.response,
        headers: { link: linkHeader(request, page) },
      };
    },
  };
}

/** The partner of the account: the contract lets no other accounts in (AUTH-7, PTN-6). */
function partnerOf({ principal: { partnerGuid } }: ClientRequest): string {
  if (partnerGuid === null) throw new Error('an account without a partner was let in');
  return partnerGuid;
}

/** The first and the next page as absolute links that keep `lastModified` (RFC 8288, PTN-4). */
function linkHeader(request: ClientRequest, page: Page): string {
  const lastModified = request.query.lastModified ?? page.modifiedAfter;
  const link = (relation: string, pageToken: string) => {
    const query = new URLSearchParams(lastModified === null ? {} : { lastModified });
    query.set('pageToken', pageToken);
    return `<${request.baseUrl}${request.operation.path}?${query}>; rel="${relation}"`;
  };
  const first = link('first', page.firstPageToken);
  const { nextPageToken } = page.response;
  return nextPageToken === null ? first : `${first}, ${link('next', nextPageToken)}`;
}
