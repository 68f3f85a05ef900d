import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { fulfil, type OrdersDeps } from '../life/orders.ts';
import { answerMove } from './answer-move.ts';

export const fulfilPaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.fulfil'> =>
  (request) =>
    answerMove(deps, request, async (key, origin) => {
      const orderGuid = await deps.ordersHere?.orderOfPayment(key);
      if (!orderGuid) return await fulfil(deps, key, origin);
      throw new ApiError(
        'conflict',
        `The payment is of the order ${orderGuid}: fulfil the order instead.`,
      );
    });
