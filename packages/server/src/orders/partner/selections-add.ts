import { isJsonObject } from '../../http/json-object.ts';
import { refusingItself } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { growCheck } from '../grow-check.ts';
import type { OrderDeps } from '../order-deps.ts';
import { Part } from '../read-order/part.ts';
import { readSelections } from '../read-order/read-selections.ts';

/** ORD-63. */
export function addSelectionsHandler(deps: OrderDeps): HandlerOf<'orders.selections.add'> {
  return refusingItself(async (request) => ({
    json: await growCheck(deps, request, (context) => {
      const { body } = request;
      const sent = Array.isArray(body) ? body : [];
      const parts = sent.flatMap((one, index) =>
        isJsonObject(one) ? [new Part(one as (typeof body)[number], [index], context.faults)] : [],
      );
      return { cause: 'selectionsAdded', selections: readSelections(parts, context) };
    }),
  }));
}
