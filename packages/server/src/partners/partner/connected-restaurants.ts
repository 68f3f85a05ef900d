import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { type HandlerOf, partnerOf, type RequestFor } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { type ConnectionPosition, type Page, readPage } from './read-page.ts';

type Request = RequestFor<'partners.connectedRestaurants.list'>;

/** What the handler needs. */
export interface ConnectedRestaurantsDeps {
  readonly database: Database;
  /** Authenticates page tokens. */
  readonly vault: Vault;
  /** The switch `wire.connectedRestaurantsShape` (PTN-1). */
  readonly connectedRestaurantsShape: 'object' | 'array';
}

/** Lists the restaurants that are connected to the caller's partner, by pages. */
export function connectedRestaurantsHandler({
  database,
  vault,
  connectedRestaurantsShape: shape,
}: ConnectedRestaurantsDeps): HandlerOf<'partners.connectedRestaurants.list'> {
  const tokens = pageTokens<ConnectionPosition>(vault, 'connectedRestaurants');
  return async (request) => {
    const partnerGuid = partnerOf(request.principal);
    const page = await readPage({ database, tokens }, { partnerGuid, ...request.query });
    return {
      json: shape === 'array' ? [page.response] : page.response,
      headers: { link: linkHeader(request, page) },
    };
  };
}

/** The first and the next page as absolute links that keep `lastModified` (RFC 8288, PTN-4). */
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
