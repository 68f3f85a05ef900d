import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { type ListedPlace, listDeliveries } from '../../delivery/delivery-store.ts';
import type { ChangeWebhooksDeps } from '../change.ts';
import { deliveryOnWire } from '../delivery-on-wire.ts';

type Query = RequestOf<'backOffice.webhooks.deliveries.list'>['query'];

export function listDeliveriesHandler({
  database: { sql },
  vault,
}: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.deliveries.list'> {
  const tokens = pageTokens<ListPosition<Query, ListedPlace>>(
    vault,
    'backOffice.webhooks.deliveries',
  );
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listDeliveries(sql, { ...query, reach }, after, limit),
      placeOf: ({ guid, place, extra }) => ({ guid, place, extra }),
      onWire: deliveryOnWire,
    });
}
