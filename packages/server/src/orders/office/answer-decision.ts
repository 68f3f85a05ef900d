import { originOf } from '../../audit/origin.ts';
import type { BackOfficeRestaurantRequest } from '../../http/operation.ts';
import { type Decide, type DecideDeps, decideOrder, noSuchOrder } from '../kitchen/decide.ts';
import type { OrderDeps } from '../order-deps.ts';
import { findOrder } from '../order-store.ts';
import { showForOffice } from './show.ts';

export type OfficeOrderDeps = DecideDeps & Pick<OrderDeps, 'realClock'>;

type DecisionRequest = BackOfficeRestaurantRequest & {
  readonly params: { readonly orderGuid: string };
};

/** Decides, and shows the order as it is then. */
export async function answerDecision(
  deps: OfficeOrderDeps,
  request: DecisionRequest,
  decide: Decide,
) {
  const { restaurant, params } = request;
  const { orderGuid } = params;
  const key = { restaurantGuid: restaurant.guid, orderGuid };
  await decideOrder(deps, key, originOf(request, deps.realClock), decide);
  const order = await findOrder(deps.database.sql, restaurant.guid, orderGuid);
  if (!order) throw noSuchOrder();
  const [json] = await showForOffice(deps.database, restaurant, [order]);
  if (!json) throw noSuchOrder();
  return { json };
}
