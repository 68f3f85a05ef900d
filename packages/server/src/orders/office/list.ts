import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { type ListDeps, openPage, readListPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import type { OrderRow } from '../order.ts';
import { listOfficeOrders, type OfficeOrderPlace } from './list-store.ts';
import { showForOffice } from './show.ts';

type Query = RequestOf<'backOffice.orders.list'>['query'];

export function listOfficeOrdersHandler({
  database,
  vault,
}: ListDeps): HandlerOf<'backOffice.orders.list'> {
  const tokens = pageTokens<OfficeOrderPlace>(vault, 'backOffice.orders.list');
  return async ({ query: sent, restaurant }) => {
    const page = openPage<Query, OfficeOrderPlace>(sent, tokens);
    const { results, nextPageToken } = await readListPage(page, {
      tokens,
      list: (query, after, limit) =>
        listOfficeOrders(database.sql, restaurant.guid, query, after, limit),
      placeOf: ({ createdAt, guid }: OrderRow) => ({ createdAt: createdAt.toISOString(), guid }),
      onWire: (row: OrderRow) => row,
    });
    return { json: { results: await showForOffice(database, restaurant, results), nextPageToken } };
  };
}
