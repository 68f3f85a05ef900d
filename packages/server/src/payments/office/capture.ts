import type { HandlerOf } from '../../http/operation.ts';
import { captureNow, type OrdersDeps } from '../life/orders.ts';
import { answerMove } from './answer-move.ts';

export const capturePaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.capture'> =>
  (request) =>
    answerMove(deps, request, (key, origin) => captureNow(deps, key, origin));
