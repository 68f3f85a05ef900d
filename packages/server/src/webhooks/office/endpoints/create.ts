import { futureInstant } from '../../../http/future-instant.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { createEndpoint } from '../../endpoints/endpoints.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../change.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const createEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.create'> =>
  async (request) => {
    const { body, faults, nowMs } = request;
    const { label = null, ...secret } = body.secret ?? {};
    const expiresAt = futureInstant(secret.expiresAt, ['secret', 'expiresAt'], request);
    faults.refuse();
    const draft = { ...body, secret: { label, expiresAt } };
    const issued = await createEndpoint(deps, draft, authorityOf(request, deps));
    const endpoint = await showEndpoint(deps.database.sql, issued.endpoint, nowMs);
    return { json: { ...issued, endpoint } };
  };
