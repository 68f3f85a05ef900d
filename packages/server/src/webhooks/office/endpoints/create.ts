import type { HandlerOf } from '../../../http/operation.ts';
import { createEndpoint } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { secretDraftOf } from '../secrets/secret-draft.ts';
import { showEndpoint } from '../show-endpoints.ts';
import { settingsOf } from './settings.ts';

export const createEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.create'> =>
  async (request) => {
    const { body, faults, nowMs } = request;
    const { clientId, url, secret: sent = {}, ...settings } = body;
    const first = secretDraftOf(sent, { path: ['secret'], faults, nowMs });
    faults.refuse();
    const draft = { clientId, url, secret: first, ...settingsOf(settings) };
    const issued = await createEndpoint(deps, draft, authorityOf(request, deps));
    const { secretGuid, secret } = issued;
    const endpoint = await showEndpoint(deps.database.sql, issued.endpoint, nowMs);
    return { json: { endpoint, secretGuid, secret } };
  };
