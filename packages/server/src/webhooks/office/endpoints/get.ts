import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findManagedEndpoint } from '../../endpoints/endpoints.ts';
import { showEndpoint } from '../show-endpoints.ts';

export const getEndpointHandler =
  ({
    database: { sql },
  }: {
    readonly database: Database;
  }): HandlerOf<'backOffice.webhooks.endpoints.get'> =>
  async ({ params, reach, nowMs }) => {
    const endpoint = await findManagedEndpoint(sql, params.endpointGuid, reach);
    return { json: await showEndpoint(sql, endpoint, nowMs) };
  };
