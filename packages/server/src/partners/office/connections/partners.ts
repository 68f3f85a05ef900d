import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import type { NamedPlace } from '../../connection-store.ts';
import { listConnectablePartners } from '../../partner-store.ts';

type Query = RequestOf<'backOffice.connections.partners'>['query'];

export interface ConnectablePartnersDeps {
  readonly database: Database;
  readonly vault: Vault;
}

export function connectablePartnersHandler({
  database: { sql },
  vault,
}: ConnectablePartnersDeps): HandlerOf<'backOffice.connections.partners'> {
  const list = 'backOffice.connections.partners';
  const tokens = pageTokens<ListPosition<Query, NamedPlace>>(vault, list);
  return ({ restaurant, query: sent }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) =>
        listConnectablePartners(sql, { ...query, restaurantGuid: restaurant.guid }, after, limit),
      placeOf: ({ name, guid }) => ({ name, guid }),
      onWire: (partner) => partner,
    });
}
