import { futureInstant } from '../../../http/future-instant.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { addWebhookSecret } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../change.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const addSecretHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.secrets.add'> =>
  async (request) => {
    const { params, body, faults, nowMs } = request;
    const expiresAt = futureInstant(body.expiresAt, ['expiresAt'], request);
    const othersExpireAt = futureInstant(body.othersExpireAt, ['othersExpireAt'], request);
    faults.refuse();
    const draft = { label: body.label ?? null, expiresAt, othersExpireAt };
    const authority = authorityOf(request, deps);
    const issued = await addWebhookSecret(deps, params.endpointGuid, draft, authority);
    const endpoint = await showEndpoint(deps.database.sql, issued.endpoint, nowMs);
    return { json: { ...issued, endpoint } };
  };
