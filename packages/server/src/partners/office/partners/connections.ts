import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listPartnerConnections, type NamedPlace } from '../../connection-store.ts';
import { findPartner } from '../../partner-store.ts';
import { noSuchPartner } from '../../partners.ts';
import { connectionOnWire } from '../connections/connection-on-wire.ts';

type Query = RequestOf<'backOffice.partners.connections'>['query'];

export interface PartnerConnectionsDeps {
  readonly database: Database;
  readonly vault: Vault;
}

export function partnerConnectionsHandler({
  database: { sql },
  vault,
}: PartnerConnectionsDeps): HandlerOf<'backOffice.partners.connections'> {
  const list = 'backOffice.partners.connections';
  const tokens = pageTokens<ListPosition<Query, NamedPlace>>(vault, list);
  return async ({ params: { partnerGuid }, reach, query: sent }) => {
    if (!(await findPartner(sql, partnerGuid, reach))) throw noSuchPartner();
    return answerPage(sent, {
      tokens,
      list: (_query, after, limit) =>
        listPartnerConnections(sql, { partnerGuid, reach }, after, limit),
      placeOf: ({ restaurantName, restaurantGuid }) => ({
        name: restaurantName,
        guid: restaurantGuid,
      }),
      onWire: connectionOnWire,
    });
  };
}
