import type { HandlerOf } from '../../../http/operation.ts';
import { archiveEndpoint } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const archiveEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.archive'> =>
  async (request) => {
    const { params, nowMs } = request;
    const authority = authorityOf(request, deps);
    const endpoint = await archiveEndpoint(deps, params.endpointGuid, authority);
    return { json: await showEndpoint(deps.database.sql, endpoint, nowMs) };
  };
