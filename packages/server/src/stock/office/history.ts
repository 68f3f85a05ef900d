import type { RequestOf, StockChange } from '@servery/contract';
import { cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { type ChangePlace, type ChangeRow, listChanges, placeOfChange } from '../history-store.ts';
import { stateAfter, stateBefore } from '../record.ts';
import { stateOnWire } from './on-wire.ts';
import { type CachedListDeps, subjectsOf } from './stock-answers.ts';

type Query = RequestOf<'backOffice.stock.history'>['query'];

export function stockHistoryHandler({
  answers,
  vault,
}: CachedListDeps): HandlerOf<'backOffice.stock.history'> {
  const tokens = pageTokens<ListPosition<Query, ChangePlace>>(vault, 'backOffice.stock.history');
  return ({ query: sent, restaurant }) => {
    const parts = ['stock history', restaurant.guid, JSON.stringify(sent)];
    return cachedAnswer(answers, parts, subjectsOf(restaurant.guid), (sql) =>
      answerPage(sent, {
        tokens,
        list: (query, after, limit) => listChanges(sql, restaurant.guid, query, after, limit),
        placeOf: placeOfChange,
        onWire: changeOnWire,
      }),
    );
  };
}

function changeOnWire(row: ChangeRow): StockChange {
  const { guid, itemGuid, itemName, version, cause, by, byName } = row;
  const { requestId, undoes, undoneBy } = row;
  const [before, after] = [stateOnWire(stateBefore(row)), stateOnWire(stateAfter(row))];
  const at = isoTimestamp(row.at);
  const change = { guid, itemGuid, itemName, version, cause, before, after, at };
  return { ...change, by, byName, requestId, undoes, undoneBy };
}
