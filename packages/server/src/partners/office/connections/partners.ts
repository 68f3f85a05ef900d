import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import type { NamedPlace } from '../../connection-store.ts';
import type { ConnectionAdminDeps } from '../../connections.ts';
import { listConnectablePartners } from '../../partner-store.ts';

export function connectablePartnersHandler({
  database: { sql },
  vault,
}: ConnectionAdminDeps): HandlerOf<'backOffice.connections.partners'> {
  const tokens = pageTokens(vault, 'backOffice.connections.partners');
  return ({ restaurant, query: sent }) =>
    answerPage(sent, {
      tokens,
      list: (query, after: NamedPlace | null, limit) =>
        listConnectablePartners(sql, { ...query, restaurantGuid: restaurant.guid }, after, limit),
      placeOf: ({ name, guid }) => ({ name, guid }),
      onWire: (partner) => partner,
    });
}
