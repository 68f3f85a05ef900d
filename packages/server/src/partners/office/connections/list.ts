import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listRestaurantConnections, type NamedPlace } from '../../connection-store.ts';
import { connectionOnWire } from './connection-on-wire.ts';

type Query = RequestOf<'backOffice.connections.list'>['query'];

export interface ListConnectionsDeps {
  readonly database: Database;
  readonly vault: Vault;
}

export function listConnectionsHandler({
  database: { sql },
  vault,
}: ListConnectionsDeps): HandlerOf<'backOffice.connections.list'> {
  const tokens = pageTokens<ListPosition<Query, NamedPlace>>(vault, 'backOffice.connections');
  return ({ restaurant, query: sent }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) =>
        listRestaurantConnections(sql, { ...query, restaurantGuid: restaurant.guid }, after, limit),
      placeOf: ({ partnerName, partnerGuid }) => ({ name: partnerName, guid: partnerGuid }),
      onWire: connectionOnWire,
    });
}
