import type { HandlerOf } from '../../http/operation.ts';
import { noSuchOrder } from '../kitchen/decide.ts';
import { findOrder } from '../order-store.ts';
import type { OfficeOrderDeps } from './answer-decision.ts';
import { showForOffice } from './show.ts';

export const getOfficeOrderHandler =
  ({ database }: Pick<OfficeOrderDeps, 'database'>): HandlerOf<'backOffice.orders.get'> =>
  async ({ restaurant, params }) => {
    const order = await findOrder(database.sql, restaurant.guid, params.orderGuid);
    const [json] = order ? await showForOffice(database, restaurant, [order]) : [];
    if (!json) throw noSuchOrder();
    return { json };
  };
