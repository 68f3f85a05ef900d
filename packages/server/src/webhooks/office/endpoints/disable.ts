import type { HandlerOf } from '../../../http/operation.ts';
import { disableEndpoint } from '../../endpoints/endpoint-state.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const disableEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.disable'> =>
  async (request) => {
    const { params, body, nowMs } = request;
    const authority = authorityOf(request, deps);
    const endpoint = await disableEndpoint(deps, params.endpointGuid, body.reason, authority);
    return { json: await showEndpoint(deps.database.sql, endpoint, nowMs) };
  };
