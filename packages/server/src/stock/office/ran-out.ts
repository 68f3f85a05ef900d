import type { RanOutItem, RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { type ListDeps, type ListPosition, openPage, readListPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { findRestaurant } from '../../restaurants/store.ts';
import { businessDayOf, businessDayOn } from '../business-day.ts';
import { type ChangePlace, listRanOut, placeOfChange, type RanOutRow } from '../history-store.ts';

type Query = RequestOf<'backOffice.stock.ranOut'>['query'];

/** A page token keeps its day, even after that day ends. */
export function ranOutHandler({
  database: { sql },
  vault,
}: ListDeps): HandlerOf<'backOffice.stock.ranOut'> {
  const tokens = pageTokens<ListPosition<Query, ChangePlace>>(vault, 'backOffice.stock.ranOut');
  return async ({ query: sent, restaurant: { guid }, nowMs }) => {
    const page = openPage(sent, tokens);
    const restaurant = await findRestaurant(sql, guid);
    if (!restaurant) throw new Error('a restaurant that was admitted is gone');
    const { date, fromMs, toMs } =
      page.query.date === undefined
        ? businessDayOf(nowMs, restaurant)
        : businessDayOn(Temporal.PlainDate.from(page.query.date), restaurant);
    const span = { from: new Date(fromMs), to: new Date(toMs) };
    const dated = { ...page, query: { ...page.query, date } };
    const results = await readListPage(dated, {
      tokens,
      list: (_query, after, limit) => listRanOut(sql, guid, span, after, limit),
      placeOf: placeOfChange,
      onWire: ranOutOnWire,
    });
    return { json: { date, from: isoTimestamp(span.from), to: isoTimestamp(span.to), ...results } };
  };
}

function ranOutOnWire({ guid, at, until, backAt, ...row }: RanOutRow): RanOutItem {
  return {
    ...row,
    changeGuid: guid,
    at: isoTimestamp(at),
    until: until && isoTimestamp(until),
    backAt: backAt && isoTimestamp(backAt),
  };
}
