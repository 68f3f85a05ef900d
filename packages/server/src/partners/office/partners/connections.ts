import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listPartnerConnections, type PartnerConnectionPlace } from '../../connection-store.ts';
import { findPartner } from '../../partner-store.ts';
import { noSuchPartner, type PartnerAdminDeps } from '../../partners.ts';
import { connectionOnWire } from '../connections/connection-on-wire.ts';

export function partnerConnectionsHandler({
  database: { sql },
  vault,
}: PartnerAdminDeps): HandlerOf<'backOffice.partners.connections'> {
  const tokens = pageTokens(vault, 'backOffice.partners.connections');
  return async ({ params: { partnerGuid }, reach, query: sent }) => {
    if (!(await findPartner(sql, partnerGuid, reach))) throw noSuchPartner();
    return answerPage(sent, {
      tokens,
      list: (_query, after: PartnerConnectionPlace | null, limit) =>
        listPartnerConnections(sql, { partnerGuid, reach }, after, limit),
      placeOf: ({ createdAt, restaurantGuid }) => ({
        createdAt: createdAt.toISOString(),
        restaurantGuid,
      }),
      onWire: connectionOnWire,
    });
  };
}
