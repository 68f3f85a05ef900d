import type { HandlerOf } from '../../http/operation.ts';
import { fulfil, type OrdersDeps } from '../life/orders.ts';
import { answerMove } from './answer-move.ts';

export const fulfilPaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.fulfil'> =>
  (request) =>
    answerMove(deps, request, (key, origin) => fulfil(deps, key, origin));
