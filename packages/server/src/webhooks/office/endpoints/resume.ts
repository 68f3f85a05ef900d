import type { HandlerOf } from '../../../http/operation.ts';
import { resumeEndpoint } from '../../endpoints/endpoint-state.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const resumeEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.resume'> =>
  async (request) => {
    const { params, nowMs } = request;
    const authority = authorityOf(request, deps);
    const endpoint = await resumeEndpoint(deps, params.endpointGuid, authority);
    return { json: await showEndpoint(deps.database.sql, endpoint, nowMs) };
  };
