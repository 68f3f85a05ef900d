import type { HandlerOf } from '../../http/operation.ts';
import { pay, readCounterPayment } from '../kitchen/pay.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const addOrderPaymentHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.payments.add'> =>
  (request) => {
    const { params, body, restaurant, faults } = request;
    const payment = readCounterPayment(body, restaurant.currencyCode, faults);
    return answerDecision(deps, request, pay(params.checkGuid, payment));
  };
