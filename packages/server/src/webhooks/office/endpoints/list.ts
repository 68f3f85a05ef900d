import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../../http/operation.ts';
import { type ListPosition, openPage, readListPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { refuseStrangeClientId } from '../../../http/strange-client-id.ts';
import { type EndpointPlace, listEndpoints } from '../../endpoints/endpoint-store.ts';
import type { ChangeWebhooksDeps } from '../change.ts';
import { showEndpoints } from '../show-endpoints.ts';

type Query = RequestOf<'backOffice.webhooks.endpoints.list'>['query'];

export function listEndpointsHandler({
  database: { sql },
  vault,
}: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.list'> {
  const tokens = pageTokens<ListPosition<Query, EndpointPlace>>(vault, 'backOffice.webhooks');
  return async (request) => {
    refuseStrangeClientId(request);
    const { query: sent, reach, nowMs } = request;
    const { results, nextPageToken } = await readListPage(openPage(sent, tokens), {
      tokens,
      list: (query, after, limit) => listEndpoints(sql, { ...query, reach }, after, limit),
      placeOf: ({ createdAt, guid }) => ({ createdAt: createdAt.toISOString(), guid }),
      onWire: (endpoint) => endpoint,
    });
    return { json: { results: await showEndpoints(sql, results, nowMs), nextPageToken } };
  };
}
