import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changeOrder } from '../change-order.ts';
import { noGuestData } from '../order.ts';
import type { OrderDeps } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { listGuestData, upsertGuestData } from '../order-store.ts';
import { changeableOwner } from '../reach-orders.ts';
import { Part } from '../read-order/part.ts';
import { readPersonText } from '../read-order/read-guests.ts';
import { readTimeField } from '../read-order/read-time.ts';

/** ORD-65. */
export function updateDeliveryInfoHandler(
  deps: OrderDeps,
): HandlerOf<'orders.deliveryInfo.update'> {
  return async (request) => {
    const { principal, body, params, faults } = request;
    const sent = new Part(body, [], faults);
    const dispatchedAtMs = readTimeField(sent, 'dispatchedDate');
    const deliveredAtMs = readTimeField(sent, 'deliveredDate');
    const notes = readPersonText(sent, 'notes');
    refuseOrder(faults);
    const named = { orderGuid: params.orderGuid, ownerGuid: changeableOwner(principal) };
    const json = await changeOrder(deps, request, named, async ({ sql, order, nowMs }) => {
      const { content } = order;
      const before = content.delivery;
      if (!before) {
        throw new ApiError(
          'conflict',
          'The order is not a delivery: only a delivery has delivery information.',
        );
      }
      if (before.state === 'DELIVERED') {
        throw new ApiError(
          'conflict',
          'The order was delivered, so its delivery information can no longer change.',
        );
      }
      const state = body.deliveryState ?? before.state;
      const isLeaving = before.state === 'PENDING' && state !== 'PENDING';
      const employeeGuid = body.deliveryEmployee && parseGuid(body.deliveryEmployee.guid);
      if (notes !== null) {
        const [guests] = await listGuestData(sql, order.restaurantGuid, [order.guid]);
        const { delivery, ...others } = guests?.content ?? noGuestData;
        const noted = { ...others, delivery: delivery && { ...delivery, notes } };
        await upsertGuestData(sql, order, noted);
      }
      const delivery = {
        state,
        dispatchedAtMs: dispatchedAtMs ?? before.dispatchedAtMs ?? (isLeaving ? nowMs : null),
        deliveredAtMs: deliveredAtMs ?? before.deliveredAtMs,
        employeeGuid: employeeGuid ?? before.employeeGuid,
      };
      return { cause: 'delivery', details: { state }, content: { ...content, delivery } };
    });
    return { json };
  };
}
