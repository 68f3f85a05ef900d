import type { HandlerOf } from '../../../http/operation.ts';
import { findConnection } from '../../connection-store.ts';
import type { ConnectionAdminDeps } from '../../connections.ts';
import { connectionOnWire, neverConnected } from './connection-on-wire.ts';

export const getConnectionHandler =
  ({ database: { sql } }: ConnectionAdminDeps): HandlerOf<'backOffice.connections.get'> =>
  async ({ restaurant, params: { partnerGuid } }) => {
    const connection = await findConnection(sql, { restaurantGuid: restaurant.guid, partnerGuid });
    if (!connection) throw neverConnected();
    return { json: connectionOnWire(connection) };
  };
