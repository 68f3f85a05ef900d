import type { HandlerOf } from '../../../http/operation.ts';
import { pauseEndpoint } from '../../endpoints/endpoint-state.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const pauseEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.pause'> =>
  async (request) => {
    const { params, body, nowMs } = request;
    const authority = authorityOf(request, deps);
    const endpoint = await pauseEndpoint(deps, params.endpointGuid, body.reason, authority);
    return { json: await showEndpoint(deps.database.sql, endpoint, nowMs) };
  };
