import type { HandlerOf } from '../../../http/operation.ts';
import { revokeWebhookSecret } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../authority.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const revokeSecretHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.secrets.revoke'> =>
  async (request) => {
    const { endpointGuid, secretGuid } = request.params;
    const authority = authorityOf(request, deps);
    const endpoint = await revokeWebhookSecret(deps, endpointGuid, secretGuid, authority);
    return { json: await showEndpoint(deps.database.sql, endpoint, request.nowMs) };
  };
