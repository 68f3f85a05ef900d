import type { HandlerOf } from '../../http/operation.ts';
import { applyToCheck, type OrdersDeps } from '../life/orders.ts';
import { answerMove, requireAsItIs } from './answer-move.ts';

export const applyPaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.apply'> =>
  (request) =>
    answerMove(deps, request, async (key, origin) => {
      const { checkGuid } = request.body;
      const orderGuid = await deps.ordersHere?.orderOfCheck(key.merchantGuid, checkGuid);
      if (!orderGuid) return await applyToCheck(deps, key, checkGuid, origin);
      await deps.ordersHere?.applyToCheck(orderGuid, key, checkGuid, origin);
      return await requireAsItIs(deps, key);
    });
