import type { HandlerOf } from '../../../http/operation.ts';
import { addWebhookSecret } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';
import { futureMsOf, secretDraftOf } from './secret-draft.ts';

export const addSecretHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.secrets.add'> =>
  async (request) => {
    const { params, body, faults, nowMs } = request;
    const judging = { path: [], faults, nowMs };
    const othersExpireAtMs = futureMsOf(body.othersExpireAt, 'othersExpireAt', judging);
    const draft = { ...secretDraftOf(body, judging), othersExpireAtMs };
    faults.refuse();
    const authority = authorityOf(request, deps);
    const issued = await addWebhookSecret(deps, params.endpointGuid, draft, authority);
    const { secretGuid, secret } = issued;
    const endpoint = await showEndpoint(deps.database.sql, issued.endpoint, nowMs);
    return { json: { endpoint, secretGuid, secret } };
  };
