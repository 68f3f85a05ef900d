import type { RequestOf, RestaurantOverview } from '@servery/contract';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListDeps, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { isoTimestamp } from '../../../http/timestamps.ts';
import { listRestaurants, type RestaurantOverviewRow } from '../../admin-store.ts';
import type { NamePlace } from '../../group-store.ts';

type Query = RequestOf<'backOffice.restaurants.list'>['query'];

export function listRestaurantsHandler({
  database: { sql },
  vault,
}: ListDeps): HandlerOf<'backOffice.restaurants.list'> {
  const tokens = pageTokens<ListPosition<Query, NamePlace>>(vault, 'restaurants');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listRestaurants(sql, { ...query, reach }, after, limit),
      placeOf: ({ orderName: name, guid }) => ({ name, guid }),
      onWire: overviewOf,
    });
}

function overviewOf({
  orderName: _,
  modifiedAt,
  ...restaurant
}: RestaurantOverviewRow): RestaurantOverview {
  return { ...restaurant, modifiedAt: isoTimestamp(modifiedAt) };
}
