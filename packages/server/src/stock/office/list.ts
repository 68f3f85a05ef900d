import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListDeps, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { listStockItems, type StockItemPlace } from '../item-store.ts';
import { itemOnWire } from './on-wire.ts';

type Query = RequestOf<'backOffice.stock.list'>['query'];

export function listStockItemsHandler({
  database: { sql },
  vault,
}: ListDeps): HandlerOf<'backOffice.stock.list'> {
  const tokens = pageTokens<ListPosition<Query, StockItemPlace>>(vault, 'backOffice.stock');
  return ({ query: sent, restaurant }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listStockItems(sql, restaurant.guid, query, after, limit),
      placeOf: ({ sortName, guid }) => ({ sortName, guid }),
      onWire: itemOnWire,
    });
}
