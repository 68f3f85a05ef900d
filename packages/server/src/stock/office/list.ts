import type { RequestOf } from '@servery/contract';
import { cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { listStockItems, type StockItemPlace } from '../item-store.ts';
import { itemOnWire } from './on-wire.ts';
import { type CachedListDeps, subjectsOf } from './stock-answers.ts';

type Query = RequestOf<'backOffice.stock.list'>['query'];

export function listStockItemsHandler({
  answers,
  vault,
}: CachedListDeps): HandlerOf<'backOffice.stock.list'> {
  const tokens = pageTokens<ListPosition<Query, StockItemPlace>>(vault, 'backOffice.stock');
  return ({ query: sent, restaurant }) => {
    const parts = ['stock items', restaurant.guid, JSON.stringify(sent)];
    return cachedAnswer(answers, parts, subjectsOf(restaurant.guid), (sql) =>
      answerPage(sent, {
        tokens,
        list: (query, after, limit) => listStockItems(sql, restaurant.guid, query, after, limit),
        placeOf: ({ sortName, guid }) => ({ sortName, guid }),
        onWire: itemOnWire,
      }),
    );
  };
}
