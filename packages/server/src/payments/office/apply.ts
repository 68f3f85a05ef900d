import type { HandlerOf } from '../../http/operation.ts';
import { applyToCheck, type OrdersDeps } from '../life/orders.ts';
import { answerMove } from './answer-move.ts';

export const applyPaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.apply'> =>
  (request) =>
    answerMove(deps, request, (key, origin) =>
      applyToCheck(deps, key, request.body.checkGuid, origin),
    );
