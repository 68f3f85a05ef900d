import type { HandlerOf } from '../../http/operation.ts';
import { type OrdersDeps, voidPayment } from '../life/orders.ts';
import { answerMove, requireAsItIs } from './answer-move.ts';

export const voidPaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.void'> =>
  (request) =>
    answerMove(deps, request, async (key, origin) => {
      const { reason } = request.body;
      const orderGuid = await deps.ordersHere?.orderOfPayment(key);
      if (!orderGuid) return await voidPayment(deps, key, reason, origin);
      await deps.ordersHere?.voidPayment(orderGuid, key, reason, origin);
      return await requireAsItIs(deps, key);
    });
