import type { HandlerOf } from '../../http/operation.ts';
import { voidPayment } from '../life/orders.ts';
import { answerMove, type MoveByHandDeps, requireAsItIs } from './answer-move.ts';

export const voidPaymentHandler =
  (deps: MoveByHandDeps): HandlerOf<'backOffice.payments.void'> =>
  (request) =>
    answerMove(deps, request, async (key, origin) => {
      const { reason } = request.body;
      const orderGuid = await deps.ordersHere?.orderOfPayment(key);
      if (!orderGuid) return await voidPayment(deps, key, reason, origin);
      await deps.ordersHere?.voidPayment(orderGuid, key, reason, origin);
      return await requireAsItIs(deps, key);
    });
