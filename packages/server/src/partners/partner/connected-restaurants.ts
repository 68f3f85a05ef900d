import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { type HandlerOf, partnerOf, type RequestFor } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { type ConnectionPosition, type Page, readPage } from './read-page.ts';

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
    const page = await readPage({ database, tokens }, { partnerGuid, ...request.query });
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
