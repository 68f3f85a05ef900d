import type { HandlerOf } from '../../http/operation.ts';
import { voidPayment } from '../kitchen/void.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const voidOrderPaymentHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.payments.void'> =>
  (request) =>
    answerDecision(deps, request, voidPayment(request.params.paymentGuid, request.body.reason));
