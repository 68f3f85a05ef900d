import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findConnection } from '../../connection-store.ts';
import { connectionOnWire } from './connection-on-wire.ts';
import { neverConnected } from './never-connected.ts';

export interface GetConnectionDeps {
  readonly database: Database;
}

export const getConnectionHandler =
  ({ database: { sql } }: GetConnectionDeps): HandlerOf<'backOffice.connections.get'> =>
  async ({ restaurant, params: { partnerGuid } }) => {
    const connection = await findConnection(sql, { restaurantGuid: restaurant.guid, partnerGuid });
    if (!connection) throw neverConnected();
    return { json: connectionOnWire(connection) };
  };
