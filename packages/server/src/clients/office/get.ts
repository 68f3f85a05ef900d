import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findManaged } from '../managed-client.ts';
import { clientOnWire } from './on-wire.ts';

export interface GetClientDeps {
  readonly database: Database;
}

export const getClientHandler =
  ({ database: { sql } }: GetClientDeps): HandlerOf<'backOffice.clients.get'> =>
  async ({ params, reach, nowMs }) => ({
    json: clientOnWire(await findManaged(sql, params.clientId, reach), nowMs),
  });
