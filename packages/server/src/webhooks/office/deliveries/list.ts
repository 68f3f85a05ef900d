import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listDeliveries } from '../../delivery/delivery-store.ts';
import { deliveryOnWire } from '../delivery-on-wire.ts';

type Query = RequestOf<'backOffice.webhooks.deliveries.list'>['query'];

export interface ListDeliveriesDeps {
  readonly database: Database;
  readonly vault: Vault;
}

export function listDeliveriesHandler({
  database: { sql },
  vault,
}: ListDeliveriesDeps): HandlerOf<'backOffice.webhooks.deliveries.list'> {
  const tokens = pageTokens<ListPosition<Query, string>>(vault, 'backOffice.webhooks.deliveries');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listDeliveries(sql, { ...query, reach }, after, limit),
      placeOf: ({ guid }) => guid,
      onWire: deliveryOnWire,
    });
}
