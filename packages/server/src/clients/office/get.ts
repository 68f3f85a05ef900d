import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findManaged } from '../managed-client.ts';
import { clientOnWire } from './on-wire.ts';

/** What the handler needs. */
export interface GetClientDeps {
  readonly database: Database;
}

/** Answers an account within reach, with what may be known of its secrets. */
export const getClientHandler =
  ({ database: { sql } }: GetClientDeps): HandlerOf<'backOffice.clients.get'> =>
  async ({ params, reach, nowMs }) => ({
    json: clientOnWire(await findManaged(sql, params.clientId, reach), nowMs),
  });
