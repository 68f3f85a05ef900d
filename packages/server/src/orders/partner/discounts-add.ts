import type { HandlerOf } from '../../http/operation.ts';
import { growCheck } from '../grow-check.ts';
import type { OrderDeps } from '../order-deps.ts';
import { Part } from '../read-order/part.ts';
import { readDiscounts } from '../read-order/read-discounts.ts';

/** ORD-64. */
export function addDiscountsHandler(deps: OrderDeps): HandlerOf<'orders.discounts.add'> {
  return async (request) => ({
    json: await growCheck(deps, request, (context) => {
      const parts = request.body.map((one, index) => new Part(one, [index], context.faults));
      return { cause: 'discountsAdded', checkDiscounts: readDiscounts(parts, context) };
    }),
  });
}
