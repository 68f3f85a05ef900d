import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listRestaurantConnections, type NamedPlace } from '../../connection-store.ts';
import type { ConnectionAdminDeps } from '../../connections.ts';
import { connectionOnWire } from './connection-on-wire.ts';

export function listConnectionsHandler({
  database: { sql },
  vault,
}: ConnectionAdminDeps): HandlerOf<'backOffice.connections.list'> {
  const tokens = pageTokens(vault, 'backOffice.connections');
  return ({ restaurant, query: sent }) =>
    answerPage(sent, {
      tokens,
      list: (query, after: NamedPlace | null, limit) =>
        listRestaurantConnections(sql, { ...query, restaurantGuid: restaurant.guid }, after, limit),
      placeOf: ({ partnerName, partnerGuid }) => ({ name: partnerName, guid: partnerGuid }),
      onWire: connectionOnWire,
    });
}
