import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { fulfil, type OrdersDeps } from '../life/orders.ts';
import { paymentOnWire } from './payment-on-wire.ts';

export type FulfilPaymentDeps = OrdersDeps;

export const fulfilPaymentHandler =
  (deps: FulfilPaymentDeps): HandlerOf<'backOffice.payments.fulfil'> =>
  async (request) => {
    const { restaurant, params } = request;
    const key = { merchantGuid: restaurant.guid, paymentUuid: params.paymentUuid };
    const payment = await fulfil(deps, key, originOf(request, deps.realClock));
    return { json: paymentOnWire(payment, deps.clock.nowMs()) };
  };
