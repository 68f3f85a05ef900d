import type { HandlerOf } from '../../../http/operation.ts';
import { findManagedEndpoint } from '../../endpoints/endpoints.ts';
import type { ChangeWebhooksDeps } from '../change.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const getEndpointHandler =
  ({ database }: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.get'> =>
  async ({ params, reach, nowMs }) => {
    const endpoint = await findManagedEndpoint(database.sql, params.endpointGuid, reach);
    return { json: await showEndpoint(database.sql, endpoint, nowMs) };
  };
