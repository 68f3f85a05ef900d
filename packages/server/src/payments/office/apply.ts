import type { HandlerOf } from '../../http/operation.ts';
import { applyToCheck } from '../life/orders.ts';
import { answerMove, type MoveByHandDeps, requireAsItIs } from './answer-move.ts';

export const applyPaymentHandler =
  (deps: MoveByHandDeps): HandlerOf<'backOffice.payments.apply'> =>
  (request) =>
    answerMove(deps, request, async (key, origin) => {
      const { checkGuid } = request.body;
      const orderGuid = await deps.ordersHere?.orderOfCheck(key.merchantGuid, checkGuid);
      if (!orderGuid) return await applyToCheck(deps, key, checkGuid, origin);
      await deps.ordersHere?.applyToCheck(orderGuid, key, checkGuid, origin);
      return await requireAsItIs(deps, key);
    });
