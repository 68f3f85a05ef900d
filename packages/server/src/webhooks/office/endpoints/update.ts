import type { HandlerOf } from '../../../http/operation.ts';
import { editEndpoint } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';
import { settingsOf } from './settings.ts';

export const updateEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.update'> =>
  async (request) => {
    const { params, body, nowMs } = request;
    const authority = authorityOf(request, deps);
    const endpoint = await editEndpoint(deps, params.endpointGuid, settingsOf(body), authority);
    return { json: await showEndpoint(deps.database.sql, endpoint, nowMs) };
  };
