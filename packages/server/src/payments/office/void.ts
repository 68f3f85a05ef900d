import type { HandlerOf } from '../../http/operation.ts';
import { type OrdersDeps, voidPayment } from '../life/orders.ts';
import { answerMove } from './answer-move.ts';

export const voidPaymentHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.void'> =>
  (request) =>
    answerMove(deps, request, (key, origin) => voidPayment(deps, key, request.body.reason, origin));
